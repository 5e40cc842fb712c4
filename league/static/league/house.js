// The time zone of the browser, which a parlour takes over; without this script the server's is taken.
"use strict";
for (const field of document.querySelectorAll("[data-zone]")) {
  if (!field.value) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
}
