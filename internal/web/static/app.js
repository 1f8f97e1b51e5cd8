// What the pages do beyond what the server renders: it keeps the page of a run up to date, loads what is left out when
// it is opened, copies commands, and says times in the visitor's own zone. All is readable without it.
"use strict";

(() => {
  const byId = (id) => document.getElementById(id);

  // prepare does within an element what is done for the whole page at first.
  function prepare(root) {
    for (const time of root.querySelectorAll("time[datetime]")) {
      const at = new Date(time.dateTime);
      if (Number.isNaN(at.getTime())) continue;
      if (time.className === "ago") {
        time.title = at.toLocaleString();
        continue;
      }
      if (!time.title) time.title = time.textContent;
      time.textContent = at.toLocaleString();
    }
    for (const button of root.querySelectorAll("button[data-copy]")) button.hidden = false;
    for (const details of root.querySelectorAll("details[data-load]")) {
      details.addEventListener("toggle", () => { if (details.open) load(details); });
    }
    for (const pre of root.querySelectorAll("pre[data-length]")) pre.scrollTop = pre.scrollHeight;
  }

  // elementOf returns the element that HTML of the server describes.
  function elementOf(html) {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.content.firstElementChild;
  }

  // replace puts an element in the place of another, as much as possible in the state that people have brought that to.
  function replace(old, fresh) {
    const open = new Map();
    for (const details of old.querySelectorAll("details[id]")) open.set(details.id, details.open);
    const checked = new Set();
    for (const box of old.querySelectorAll("input[type=checkbox]:checked")) checked.add(box.id);
    const focus = old.contains(document.activeElement) ? document.activeElement : null;
    const focused = focus && (focus.id || focus.getAttribute("data-opens"));
    if (old.hasAttribute("aria-live")) { // the region itself must remain to be announced
      if (old.textContent !== fresh.textContent) old.replaceChildren(...fresh.childNodes);
      fresh = old;
    } else {
      old.replaceWith(fresh);
    }
    prepare(fresh);
    for (const box of fresh.querySelectorAll("input[type=checkbox]")) box.checked = checked.has(box.id);
    for (const details of fresh.querySelectorAll("details[id]")) {
      if (open.has(details.id)) details.open = open.get(details.id);
    }
    if (focused) {
      const again = byId(focused) || fresh;
      (again.matches("details") ? again.querySelector("summary") : again).focus({ preventScroll: true });
    }
    return fresh;
  }

  // load replaces the element around details by what the server has of it, all included.
  async function load(details) {
    const path = details.dataset.load;
    const around = details.closest("article[id]");
    if (!path || !around || details.dataset.loading) return;
    details.dataset.loading = "yes";
    try {
      const answer = await fetch(path, { headers: { "X-Fragment": "1" }, redirect: "error" });
      if (!answer.ok) throw new Error(String(answer.status));
      const fresh = elementOf(await answer.text());
      if (fresh && fresh.id === around.id && around.isConnected) replace(around, fresh);
    } catch {
      const note = details.querySelector(".load");
      if (note && !note.dataset.failed) {
        note.dataset.failed = "yes";
        note.append(" It could not be loaded here.");
      }
    } finally {
      delete details.dataset.loading;
    }
  }

  // show opens an element and goes to it. It reports whether there is one.
  function show(id) {
    const element = id && byId(id);
    if (!element) return false;
    for (let at = element; at; at = at.parentElement) {
      if (at.matches("details")) at.open = true;
    }
    if (element.matches("article.failed")) {
      const searched = byId(element.id + "-searched");
      if (searched) searched.open = true;
    }
    element.scrollIntoView({ block: "start" });
    const target = element.matches("details") ? element.querySelector("summary") : element;
    if (target.matches("summary, [tabindex], a, button, input")) target.focus({ preventScroll: true });
    return true;
  }

  document.addEventListener("click", async (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest("a");
    if (link && link.dataset.opens && show(link.dataset.opens)) {
      event.preventDefault();
      history.replaceState(null, "", "#" + link.dataset.opens);
      return;
    }
    if (link && link.hash && link.pathname === location.pathname && link.search === location.search &&
        show(decodeURIComponent(link.hash.slice(1)))) {
      event.preventDefault();
      history.replaceState(null, "", link.hash);
      return;
    }
    const button = event.target.closest("button[data-copy]");
    if (button) copy(button);
  });

  async function copy(button) {
    const text = byId(button.dataset.copy);
    if (!text) return;
    let done = "Copied";
    try {
      await navigator.clipboard.writeText(text.textContent);
    } catch { // not over plain HTTP: select it
      getSelection().selectAllChildren(text);
      done = document.execCommand("copy") ? "Copied" : "Press Ctrl+C";
    }
    button.textContent = done;
    say(done);
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  }

  // say tells screen readers.
  function say(words) {
    let region = byId("said");
    if (!region) {
      region = document.createElement("p");
      region.id = "said";
      region.className = "sr";
      region.setAttribute("role", "status");
      byId("main").append(region);
    }
    region.textContent = words;
  }

  // section is an element of a run's page that has changed.
  function section({ id, in: around, html }) {
    const old = byId(id);
    if (!html) {
      if (old) old.remove();
      return;
    }
    const fresh = elementOf(html);
    if (!fresh || fresh.id !== id) return;
    if (old) {
      replace(old, fresh);
    } else if (around && byId(around)) {
      byId(around).append(fresh);
      prepare(fresh);
    }
  }

  // reply is text for the end of the reply that arrives.
  function reply({ reply: n, from, to, text }) {
    const pre = document.querySelector("#reply-" + n + " pre[data-length]");
    if (!pre || Number(pre.dataset.length) >= to) return;
    if (Number(pre.dataset.length) !== from) {
      follow(all);
      return;
    }
    const below = pre.scrollHeight - pre.scrollTop - pre.clientHeight < 40;
    pre.append(text);
    pre.normalize();
    pre.dataset.length = String(to);
    if (below) pre.scrollTop = pre.scrollHeight;
  }

  // source is the stream of the run, all its path for a page that does not know what it lacks.
  let source = null;
  let all = "";

  // follow keeps the page of a run up to date until it has ended. A stream that the server refuses is asked for again.
  function follow(path) {
    if (source) source.close();
    const lost = byId("lost");
    let warn = 0;
    const stream = new EventSource(path);
    source = stream;
    const heard = () => { clearTimeout(warn); warn = 0; lost.hidden = true; };
    const read = (act) => (event) => { heard(); act(JSON.parse(event.data)); };
    stream.addEventListener("open", heard);
    stream.addEventListener("section", read(section));
    stream.addEventListener("reply", read(reply));
    stream.addEventListener("end", () => { heard(); stream.close(); });
    stream.addEventListener("error", () => {
      if (!warn) warn = setTimeout(() => { lost.hidden = false; }, 5000);
      if (stream.readyState === EventSource.CLOSED) {
        clearTimeout(warn);
        lost.hidden = false;
        setTimeout(() => follow(all), 10000);
      }
    });
  }

  prepare(document);
  if (location.hash) show(decodeURIComponent(location.hash.slice(1)));
  // A page that comes back from the browser's cache is of another time.
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  const run = byId("run");
  if (run && run.dataset.stream) {
    all = run.dataset.stream.replace(/after=[^&]*/, "after=0");
    addEventListener("pagehide", () => source.close());
    follow(run.dataset.stream);
  }
})();
