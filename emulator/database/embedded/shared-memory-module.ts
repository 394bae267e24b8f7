// Rewrites the import section of a wasm module so that it imports a shared memory (WebAssembly core specification, "Import
// section").

/** Rewrites the limits of the imported memory to "shared, with a maximum". Returns a module that imports no memory unchanged. */
export function shareImportedMemory(source: BufferSource): Uint8Array<ArrayBuffer> {
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)
  const scanner = new ModuleScanner(bytes)
  const found = scanner.findMemoryImport()
  if (found === undefined) return bytes
  const limits = Uint8Array.from([
    SHARED_WITH_MAXIMUM,
    ...encodeLeb(found.minimum),
    ...encodeLeb(found.maximum ?? MAX_PAGES),
  ])
  const before = bytes.subarray(found.sectionBody, found.limitsStart)
  const after = bytes.subarray(found.limitsEnd, found.sectionEnd)
  const bodyLength = before.length + limits.length + after.length
  return join([
    bytes.subarray(0, found.sectionStart),
    Uint8Array.from([IMPORT_SECTION, ...encodeLeb(bodyLength)]),
    before,
    limits,
    after,
    bytes.subarray(found.sectionEnd),
  ])
}

const MAX_PAGES = 32768
const SHARED_WITH_MAXIMUM = 3
const IMPORT_SECTION = 2
const PREAMBLE_BYTES = 8
const ImportKind = { function: 0, table: 1, memory: 2, global: 3, tag: 4 } as const

interface MemoryImport {
  readonly sectionStart: number
  readonly sectionBody: number
  readonly sectionEnd: number
  readonly limitsStart: number
  readonly limitsEnd: number
  readonly minimum: number
  readonly maximum: number | undefined
}

class ModuleScanner {
  readonly #bytes: Uint8Array
  #at = PREAMBLE_BYTES

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  findMemoryImport(): MemoryImport | undefined {
    while (this.#at < this.#bytes.length) {
      const sectionStart = this.#at
      const id = this.#byte()
      const length = this.#leb()
      const sectionBody = this.#at
      const sectionEnd = sectionBody + length
      if (id === IMPORT_SECTION) {
        const memory = this.#scanImports()
        return memory && { sectionStart, sectionBody, sectionEnd, ...memory }
      }
      this.#at = sectionEnd
    }
    return undefined
  }

  #scanImports():
    | Pick<MemoryImport, 'limitsStart' | 'limitsEnd' | 'minimum' | 'maximum'>
    | undefined {
    for (let count = this.#leb(); count > 0; count--) {
      this.#skipName()
      this.#skipName()
      const kind = this.#byte()
      const limitsStart = this.#at
      if (kind === ImportKind.memory) return { limitsStart, ...this.#limits(), limitsEnd: this.#at }
      this.#skipImport(kind)
    }
    return undefined
  }

  #limits(): { minimum: number; maximum: number | undefined } {
    const flags = this.#byte()
    const minimum = this.#leb()
    return { minimum, maximum: (flags & 1) === 1 ? this.#leb() : undefined }
  }

  #skipImport(kind: number): void {
    if (kind === ImportKind.function) this.#leb()
    else if (kind === ImportKind.table) {
      this.#byte()
      this.#limits()
    } else if (kind === ImportKind.global) this.#at += 2
    else if (kind === ImportKind.tag) {
      this.#byte()
      this.#leb()
    } else throw new Error(`unknown kind of wasm import: ${kind}`)
  }

  #skipName(): void {
    const length = this.#leb()
    this.#at += length
  }

  #byte(): number {
    return this.#bytes[this.#at++] ?? 0
  }

  #leb(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.#byte()
      value |= (byte & 0x7f) << shift
      if ((byte & 0x80) === 0) return value >>> 0
    }
  }
}

function encodeLeb(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  do {
    const low = rest & 0x7f
    rest >>>= 7
    bytes.push(rest === 0 ? low : low | 0x80)
  } while (rest !== 0)
  return bytes
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
