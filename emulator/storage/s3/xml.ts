// The XML of S3 bodies: what is written, and what was read. Pure.

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
  attributes: string = NAMESPACE,
): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name}${attributes}>${content.join('')}</${name}>`
}

export interface XmlElement {
  readonly name: string
  /** Its own text, references resolved; that of its children is theirs. */
  readonly text: string
  readonly children: readonly XmlElement[]
}

/** Children of this name, in their order. */
export function childrenOf({ children }: XmlElement, name: string): readonly XmlElement[] {
  return children.filter((child) => child.name === name)
}

/** Text of the first child of this name, `undefined` when there is no such child. */
export function textOf(element: XmlElement, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? character)
}
