// Parses the XML bodies of S3 requests into a small tree while their bytes arrive. Limits bound how long a malicious body can
// block the event loop.
import { SaxesParser } from 'saxes'
import { S3Error } from './s3-error.ts'
import type { XmlElement } from './xml.ts'

export interface XmlReader {
  /** @throws {S3Error} `MalformedXML` */
  write(bytes: Uint8Array): void
  /** Ends the document and returns the root element. @throws {S3Error} `MalformedXML` */
  end(): XmlElement
}

/** S3's own limit for the bodies of DeleteObjects and CompleteMultipartUpload. */
const MAX_BYTES = 2 * 1024 * 1024
/** The deepest document that S3 operations here accept has four levels. */
const MAX_DEPTH = 8
/** Maximum number of elements: enough for 10,000 parts with up to five elements each, and the root. */
const MAX_ELEMENTS = 60_000
/** Maximum number of attributes in the whole document: enough for namespaces and schema locations. */
const MAX_ATTRIBUTES = 100

interface OpenElement {
  readonly name: string
  text: string
  readonly children: OpenElement[]
}

/** Creates a reader for one XML document. The root element of the document must have this name. */
export function createXmlReader(rootName: string): XmlReader {
  // Artificial parent of the root element.
  const document: OpenElement = { name: '', text: '', children: [] }
  const open: OpenElement[] = [document]
  let byteCount = 0
  let elementCount = 0
  let attributeCount = 0
  const parser = new SaxesParser()
  const decoder = new TextDecoder()
  const addText = (text: string): void => {
    const last = open.at(-1)
    if (last !== undefined) last.text += text
  }
  parser.on('error', () => {
    throw malformed('it is not well-formed')
  })
  parser.on('doctype', () => {
    throw malformed('it has a document type')
  })
  parser.on('attribute', () => {
    attributeCount += 1
    if (attributeCount > MAX_ATTRIBUTES)
      throw malformed(`it has more than ${MAX_ATTRIBUTES} attributes`)
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('opentag', ({ name }) => {
    elementCount += 1
    if (elementCount > MAX_ELEMENTS) throw malformed(`it has more than ${MAX_ELEMENTS} elements`)
    if (open.length > MAX_DEPTH) throw malformed(`it has more than ${MAX_DEPTH} levels`)
    if (open.length === 1 && name !== rootName) throw malformed(`its root is not ${rootName}`)
    const element: OpenElement = { name, text: '', children: [] }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => {
    open.pop()
  })
  return {
    write: (bytes) => {
      byteCount += bytes.byteLength
      if (byteCount > MAX_BYTES) throw malformed(`it has more than ${MAX_BYTES} bytes`)
      parser.write(decoder.decode(bytes, { stream: true }))
    },
    end: () => {
      parser.write(decoder.decode()).close()
      const [root] = document.children
      if (root === undefined) throw malformed('it is empty')
      return root
    },
  }
}

function malformed(reason: string): S3Error {
  return new S3Error('MalformedXML', `The XML body cannot be read: ${reason}.`)
}
