// Writes the XML of S3 responses, and defines the tree of parsed XML requests.

export const XML_HEADERS = { 'content-type': 'application/xml; charset=utf-8' } as const
const NAMESPACE = ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'

/** Writes one XML element with an escaped text. Returns an empty text when `value` is undefined. */
export function element(name: string, value: string | number | boolean | undefined): string {
  if (value === undefined) return ''
  return `<${name}>${escaped(String(value))}</${name}>`
}

/** Writes one XML element that contains other elements. */
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
  /** Text directly in this element, with references resolved. The text of child elements is excluded. */
  readonly text: string
  readonly children: readonly XmlElement[]
}

/** Returns the children with this name, in document order. */
export function childrenOf({ children }: XmlElement, name: string): readonly XmlElement[] {
  return children.filter((child) => child.name === name)
}

/** Returns the text of the first child with this name, or `undefined` without such a child. */
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
