// HTML templates that escape every text of a caller. Pure.

/** Markup made by `html` alone. */
export class Markup {
  readonly #text: string

  constructor(texts: readonly string[], holes: readonly MarkupHole[]) {
    this.#text = texts.map((text, index) => text + rendered(holes[index])).join('')
  }

  /** The HTML text. */
  toString(): string {
    return this.#text
  }
}

/** Texts are escaped. They are safe in content and quoted attributes, not in `<style>` or `<script>`. */
export type MarkupHole = string | Markup | readonly Markup[] | undefined

/** Builds markup; `undefined` adds nothing. */
export function html(texts: TemplateStringsArray, ...holes: readonly MarkupHole[]): Markup {
  return new Markup(texts, holes)
}

/** Our own HTML, CSS or SVG. Never pass a caller's text. */
export function verbatimMarkup(text: string): Markup {
  return new Markup([text], [])
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function rendered(hole: MarkupHole): string {
  if (hole === undefined) return ''
  if (typeof hole === 'string') return hole.replace(/[&<>"']/g, (found) => ENTITIES[found] ?? '')
  return hole instanceof Markup ? hole.toString() : hole.join('')
}
