// Run a Cinderella League with the generated TypeScript client, from its creation to its champion: `story.js SERVER`.
// Copy it for a program of your own: the steps follow in the order in which an organizer takes them.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Hanchan = components["schemas"]["Hanchan"];

const baseUrl = process.argv[2]!;
const slug = "spring-typescript";
const seed = "8214";
// The scores of every hanchan here, first dealer first; those of a real league come from its tables.
const scores = [45000, 30000, 15000, 10000];
// Warnings that were looked at: two tables with the same scores are unusual, but here they are right.
const accept = ["same_scores_elsewhere"];
const client = createClient<paths, "application/json">({ baseUrl });
const path = { slug };

// Return a response's document; the problem of a refused request is an error.
function expect<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

// A new idempotency key: a program keeps it, and sends it again if no response arrives.
const key = () => ({ "Idempotency-Key": crypto.randomUUID() });

// Log in for a token. A program that runs for a season has a token from the page of its account instead.
const account = { username: "organizer", password: "correct horse" };
const { token } = expect(await client.POST("/api/v1/auth/login/", { body: account }));
client.use({ onRequest: ({ request }) => request.headers.set("Authorization", `Bearer ${token}`) });

// Create the league from its ready-made format and rule book, as a draft.
const league = { slug, name: "春リーグ", name_en: "Spring", ruleset: "cinderella", format: "cinderella" };
expect(await client.POST("/api/v1/competitions/", { params: { header: key() }, body: league }));

// Bring sixteen members of a club in by the ids that they have there, and enter them.
const members = Array.from({ length: 16 }, (_, n) => ({ external_id: `ts-${n + 1}`, name: `Player ${n + 1}` }));
expect(await client.PUT("/api/v1/people/", { body: { people: members } }));
const entries = members.map(({ external_id }) => ({ external_id }));
expect(await client.PUT("/api/v1/competitions/{slug}/entrants/", { params: { path }, body: { people: entries } }));

// Fill the two blocks in a snake, look at the schedule, write it as it was shown, and publish the league.
expect(await client.POST("/api/v1/competitions/{slug}/blocks/fill/", { params: { path }, body: { filling: "snake" } }));
const wishes = { first_day: "2027-04-03", every: 7, starts_at: "13:00", seed };
const planned = expect(
  await client.POST("/api/v1/competitions/{slug}/schedule/preview/", { params: { path }, body: wishes }),
);
if (planned.faults.length) throw new Error(planned.faults.join());
expect(
  await client.POST("/api/v1/competitions/{slug}/schedule/", {
    params: { path, header: key() },
    body: { ...wishes, digest: planned.digest },
  }),
);
const setStatus = async (status: "published" | "closed") =>
  expect(await client.POST("/api/v1/competitions/{slug}/status/", { params: { path }, body: { status } }));
await setStatus("published");

// Submit the result of a hanchan, if wanted after a preview; return the competition's version with it.
async function play({ id, seats }: Hanchan, previews: boolean): Promise<number> {
  const body = { seats: seats.map(({ entrant }, place) => ({ entrant: entrant!, score: scores[place]! })), accept };
  if (previews) {
    const preview = await client.POST("/api/v1/hanchan/{id}/results/preview/", { params: { path: { id } }, body });
    const unexpected = expect(preview).findings.filter(({ code }) => !accept.includes(code));
    if (unexpected.length) throw new Error(JSON.stringify(unexpected));
  }
  const done = await client.POST("/api/v1/hanchan/{id}/results/", { params: { path: { id }, header: key() }, body });
  return expect(done).effects.version;
}

// Return the bracket as soon as it contains a version: results in quick succession are published together.
async function published(version: number) {
  for (;;) {
    const bracket = expect(await client.GET("/api/v1/competitions/{slug}/bracket/", { params: { path } }));
    if (bracket.as_of >= version) return bracket;
    await new Promise((resume) => setTimeout(resume, 500));
  }
}

// Play the sessions in order: those of the blocks, the three playoffs, the final.
const sessions = expect(await client.GET("/api/v1/sessions/", { params: { query: { competition: slug } } })).results;
let version = 0;
for (const { id } of sessions) {
  const query = { competition: slug, session: id };
  let games = expect(await client.GET("/api/v1/hanchan/", { params: { query } })).results;
  if (!games.every(({ seats }) => seats.length)) {
    // The players of a playoff are known now; their seats are drawn, and rotate from hanchan to hanchan.
    const body = { seed, is_for_all: true, rotates: true };
    games = expect(await client.POST("/api/v1/sessions/{id}/draw/", { params: { path: { id } }, body })).hanchan;
  }
  for (const game of games) version = await play(game, game === games.at(-1));
  // Rule on the ties that the rule book leaves to the organizers: here the lower number goes first.
  const { awaiting, entrants } = await published(version);
  const numbers = new Map(entrants.map((entrant) => [entrant.id, entrant.number]));
  for (const tie of awaiting) {
    const order = [...tie.entrants].sort((one, other) => numbers.get(one)! - numbers.get(other)!);
    const body = { scope: tie.scope, order, reason: "By number." };
    const made = await client.POST("/api/v1/competitions/{slug}/rulings/", { params: { path, header: key() }, body });
    version = expect(made).effects.version;
  }
}
const { champion, final } = await published(version);
await setStatus("closed");

// Read the totals of each block and the champion's hanchan back, and print them.
const standings = expect(await client.GET("/api/v1/standings/", { params: { query: { competition: slug } } }));
const query = { competition: slug, entrant: champion!.entrant! };
const games = expect(await client.GET("/api/v1/hanchan/", { params: { query } })).results;
const totals = standings.blocks.map(({ key, rows }) => [key, Object.fromEntries(rows.map((row) => [row.entrant, row.total]))]);
const points = games.map(({ id, seats }) => [id, seats.find(({ entrant }) => entrant === champion!.entrant)!.points]);
console.log(
  JSON.stringify({
    competition: slug,
    champion: champion!.entrant,
    final,
    totals: Object.fromEntries(totals),
    hanchan: Object.fromEntries(points),
  }),
);
await client.POST("/api/v1/auth/logout/");
