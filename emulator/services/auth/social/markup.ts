// HTML templates that escape all inserted text. Pure.
import { escapeHtml } from '../../../core/escape-html.ts'

/** Safe markup, created by `html` or `verbatimMarkup`. */
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

/** An inserted value. Strings are escaped, which is safe in content and quoted attributes, but not in `<style>` or `<script>`. */
export type MarkupHole = string | Markup | readonly Markup[] | undefined

/** Builds markup from a template. An `undefined` value adds nothing. */
export function html(texts: TemplateStringsArray, ...holes: readonly MarkupHole[]): Markup {
  return new Markup(texts, holes)
}

/** Wraps trusted HTML, CSS or SVG without escaping it. Never pass text from a caller. */
export function verbatimMarkup(text: string): Markup {
  return new Markup([text], [])
}

function rendered(hole: MarkupHole): string {
  if (hole === undefined) return ''
  if (typeof hole === 'string') return escapeHtml(hole)
  return hole instanceof Markup ? hole.toString() : hole.join('')
}
