// Computes the preview of a file before its import: its columns compared with the table's, and its number of rows. Pure.

export type ImportFormat = 'csv' | 'json'

export interface ImportPreview {
  readonly format: ImportFormat
  readonly rows: number
  /** The file's columns that exist in the table. */
  readonly columns: readonly string[]
  /** The file's columns that don't exist in the table. */
  readonly unknown: readonly string[]
  /** Required columns of the table that the file does not contain. */
  readonly missing: readonly string[]
  /** The first rows. Cells are in the order of the file's columns. */
  readonly sample: readonly (readonly (string | null)[])[]
  readonly header: readonly string[]
  /** The reason why the file cannot be read. */
  readonly problem: string | undefined
}

interface Target {
  readonly name: string
  readonly is_nullable: boolean
  readonly default: string | null
  readonly is_generated: boolean
}

/** Detects the format from the file's extension, or from its first character. */
export function formatOf(fileName: string, text: string): ImportFormat {
  if (/\.json$/i.test(fileName)) return 'json'
  if (/\.csv$/i.test(fileName)) return 'csv'
  return /^\s*[[{]/.test(text) ? 'json' : 'csv'
}

/** Reads the file. The preview shows `sample` rows. */
export function previewImport(
  text: string,
  format: ImportFormat,
  targets: readonly Target[],
  sample = 5,
): ImportPreview {
  const read = format === 'csv' ? readCsv(text) : readJson(text)
  const names = new Set(targets.map(({ name }) => name))
  const known = read.header.filter((name) => names.has(name))
  return {
    format,
    rows: read.rows.length,
    columns: known,
    unknown: read.header.filter((name) => !names.has(name)),
    missing: targets
      .filter((target) => isNeeded(target) && !known.includes(target.name))
      .map(({ name }) => name),
    sample: read.rows.slice(0, sample),
    header: read.header,
    problem: read.problem,
  }
}

/** Parses CSV (RFC 4180). Quoted fields may contain commas, doubled quotes and line breaks. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const records: string[][] = []
  let record: string[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|\r|$)/y
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  for (let position = 0; position < source.length; ) {
    field.lastIndex = position
    const match = field.exec(source)
    if (match === null) throw new SyntaxError(`Unexpected quote in line ${records.length + 1}.`)
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    position += match[0].length
    if (match[3] === ',') {
      if (position >= source.length) record.push('')
      continue
    }
    records.push(record)
    record = []
  }
  if (record.length > 0) records.push(record)
  return records.filter((fields) => fields.length > 1 || fields[0] !== '')
}

interface Read {
  readonly header: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
  readonly problem: string | undefined
}

function readCsv(text: string): Read {
  try {
    const [header = [], ...rows] = parseCsv(text)
    const problem = header.length === 0 ? 'The file is empty.' : undefined
    return { header, rows, problem }
  } catch (error) {
    return { header: [], rows: [], problem: messageOf(error) }
  }
}

function readJson(text: string): Read {
  try {
    const value: unknown = JSON.parse(text)
    const list = Array.isArray(value) ? value : [value]
    if (!list.every(isRecord))
      return {
        header: [],
        rows: [],
        problem: 'The file must contain a list of objects, one for each row.',
      }
    const header = [...new Set(list.flatMap((row) => Object.keys(row)))]
    return {
      header,
      rows: list.map((row) => header.map((name) => cellOf(row[name]))),
      problem: undefined,
    }
  } catch (error) {
    return { header: [], rows: [], problem: messageOf(error) }
  }
}

function cellOf(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isNeeded(target: Target): boolean {
  return !target.is_nullable && target.default === null && !target.is_generated
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
