// Parses Postgres's text of a row and of an array (PostgreSQL documentation, "Composite Type Input and Output Syntax", "Array
// Input and Output Syntax"). Pure.

/** Returns the cells of a row's text, in order. */
export function parseRecordText(text: string): (string | null)[] {
  const cells: (string | null)[] = []
  let at = 1
  while (at < text.length) {
    const cell = recordCell(text, at)
    cells.push(cell.text)
    at = cell.end + 1
  }
  return cells
}

/** Returns the text of an array of one dimension. */
export function arrayText(elements: readonly (string | null)[]): string {
  const quoted = elements.map((element) =>
    element === null ? 'NULL' : `"${element.replaceAll(/["\\]/g, '\\$&')}"`,
  )
  return `{${quoted.join(',')}}`
}

export type ArrayText = readonly (string | null | ArrayText)[]

/** Returns the elements of an array's text; inner dimensions are nested lists. */
export function parseArrayText(text: string, delimiter: string): ArrayText {
  // Bounds other than 1 precede the elements: [0:2]={…}
  const start = text.startsWith('[') ? text.indexOf('=') + 1 : 0
  return arrayAt(text, start, delimiter).elements
}

interface Cell {
  readonly text: string | null
  /** The index of the separator after the cell. */
  readonly end: number
}

function recordCell(text: string, start: number): Cell {
  const first = text[start]
  if (first === ',' || first === ')') return { text: null, end: start }
  if (first === '"') return quotedCell(text, start + 1)
  let end = start
  while (text[end] !== ',' && end < text.length - 1) end++
  return { text: text.slice(start, end), end }
}

// Quotes and backslashes are doubled inside a quoted cell.
function quotedCell(text: string, start: number): Cell {
  let cell = ''
  let from = start
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (char === '"' && text[at + 1] !== '"')
      return { text: cell + text.slice(from, at), end: at + 1 }
    if (char !== '"' && char !== '\\') continue
    cell += text.slice(from, at + 1)
    from = at + 2
    at++
  }
  return { text: cell, end: text.length }
}

function arrayAt(
  text: string,
  start: number,
  delimiter: string,
): { readonly elements: ArrayText; readonly end: number } {
  const elements: (string | null | ArrayText)[] = []
  let at = start + 1
  while (at < text.length && text[at] !== '}') {
    if (text[at] === '{') {
      const inner = arrayAt(text, at, delimiter)
      elements.push(inner.elements)
      at = inner.end
    } else {
      const element =
        text[at] === '"' ? quotedElement(text, at + 1) : bareElement(text, at, delimiter)
      elements.push(element.text)
      at = element.end
    }
    if (text[at] === delimiter) at++
  }
  return { elements, end: at + 1 }
}

function quotedElement(text: string, start: number): Cell {
  let element = ''
  let at = start
  for (; at < text.length && text[at] !== '"'; at++) {
    if (text[at] === '\\') at++
    element += text[at]
  }
  return { text: element, end: at + 1 }
}

function bareElement(text: string, start: number, delimiter: string): Cell {
  let end = start
  while (end < text.length && text[end] !== delimiter && text[end] !== '}') end++
  const element = text.slice(start, end)
  return { text: element === 'NULL' ? null : element, end }
}
