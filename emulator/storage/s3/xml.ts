// As much XML as S3 needs: elements with text, and the few elements of request bodies. Pure.

export const XML_HEADERS = { 'content-type': 'application/xml; charset=utf-8' } as const
const NAMESPACE = ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'

/** Text of one element; `value` is escaped. */
export function element(name: string, value: string | number | boolean): string {
  return `<${name}>${escaped(String(value))}</${name}>`
}

/** One element around others. */
export function group(name: string, content: readonly string[]): string {
  return `<${name}>${content.join('')}</${name}>`
}

export function xmlDocument(
  name: string,
  content: readonly string[],
  attributes = NAMESPACE,
): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name}${attributes}>${content.join('')}</${name}>`
}

/** The contents of all elements of this name, unescaped where they are text. */
export function contentsOf(xml: string, name: string): readonly string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map(
    ([, content = '']) => content,
  )
}

/** Text of the first element of this name, unescaped. */
export function textOf(xml: string, name: string): string | undefined {
  const [content] = contentsOf(xml, name)
  return content === undefined ? undefined : plain(content.trim())
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

function escaped(text: string): string {
  return text.replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? character)
}

function plain(text: string): string {
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const point = Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
}
