// What a link holds: the code, its board and its rival, compressed, after the # of the address; so no
// server sees it. What this browser keeps is the reader's own; a link is opened beside it.
const KEPT = "nqbench lab";

async function through(stream, bytes) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

export async function link(state) {
  const packed = await through(new CompressionStream("deflate"),
    new TextEncoder().encode(JSON.stringify(state)));
  const text = btoa(String.fromCharCode(...packed));
  return `${location.href.split("#")[0]}#code=${text.replaceAll("+", "-").replaceAll("/", "_")
    .replace(/=+$/, "")}`;
}

export const carries = () => location.hash.startsWith("#code=");

// The state in the address; undefined if it carries none, null if the link is damaged.
export const read = async () => (carries() ? unpack(location.hash.slice(6)) : undefined);

// The state in the text of a link, null if it is damaged: what is compressed has a checksum.
export async function unpack(packed) {
  try {
    const text = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const found = JSON.parse(new TextDecoder().decode(
      await through(new DecompressionStream("deflate"), bytes)));
    return typeof found.code === "string" ? found : null;
  } catch {
    return null;
  }
}

// What this browser kept, or nothing.
export function recall() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

export function keep(state) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(state));
  } catch {
    // This browser keeps nothing; a link and a download still do.
  }
}

// Let the reader save a text as a file.
export function offer(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
