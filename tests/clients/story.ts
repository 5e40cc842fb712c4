// Play a final with the generated TypeScript client, and print its champion and totals: `story.js SERVER COMPETITION`.
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const [baseUrl, competition] = process.argv.slice(2) as [string, string];
const scores = [45000, 30000, 15000, 10000];
const client = createClient<paths, "application/json">({ baseUrl });

function told<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

const login = await client.POST("/api/v1/auth/login/", { body: { username: "scorer", password: "correct horse" } });
client.use({
  onRequest: ({ request }) => request.headers.set("Authorization", `Bearer ${told(login).token}`),
});
const bracket = async () =>
  told(await client.GET("/api/v1/competitions/{slug}/bracket/", { params: { path: { slug: competition } } }));

for (const hanchan of (await bracket()).hanchan) {
  const body = {
    seats: hanchan.seats.map((seat, place) => ({ entrant: seat.entrant!, score: scores[place]! })),
  };
  const path = { id: hanchan.id };
  const preview = told(await client.POST("/api/v1/hanchan/{id}/results/preview/", { params: { path }, body }));
  if (preview.seats?.map((seat) => seat.place).join() !== "1,2,3,4") throw new Error(JSON.stringify(preview));
  const header = { "Idempotency-Key": crypto.randomUUID() };
  const accept = preview.findings.map((finding) => finding.code);
  told(await client.POST("/api/v1/hanchan/{id}/results/", { params: { path, header }, body: { ...body, accept } }));
}
const standings = told(await client.GET("/api/v1/standings/", { params: { query: { competition } } }));
const totals = Object.fromEntries(
  standings.blocks.flatMap((block) => block.rows.map((row) => [row.entrant, row.total])),
);
console.log(JSON.stringify({ champion: (await bracket()).champion?.entrant, totals }));
