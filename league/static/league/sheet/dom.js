// Elements without a framework: `h` makes one, `fill` puts a text's values in.

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (["value", "checked", "disabled", "hidden"].includes(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** A text with its values: fill("{n} waiting", {n: 3}). */
export const fill = (text, values = {}) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

export const button = (label, onclick, props = {}) => h("button", { type: "button", onclick, ...props }, label);

/** A choice of which one holds, as buttons that say so. */
export const choice = (label, pressed, onclick, props = {}) =>
  button(label, onclick, { ...props, "aria-pressed": pressed ? "true" : "false" });
