// A migration step: one SQL file of an application's folder `migrations`. Pure.
import { createHash } from 'node:crypto'

/** The text of a step's file, as the command line and fixtures read it. */
export interface StepSource {
  /** File name without a folder, e.g. `20261122120000_add_reviews.sql`. */
  readonly file: string
  readonly sql: string
}

export interface Step {
  /** Timestamp of 14 digits. Steps run in the order of their versions. */
  readonly version: string
  readonly name: string
  /** File name without a folder. */
  readonly file: string
  /** Text of the file without a byte order mark, with `\n` as line ends. */
  readonly sql: string
  /** SHA-256 of `sql`, in hexadecimal. */
  readonly checksum: string
  /** Whether the step runs in one transaction. Otherwise each of its statements is a transaction. */
  readonly isTransactional: boolean
}

export interface StepProblem {
  readonly file: string
  readonly message: string
}

export interface ReadSteps {
  /** The oldest step first. */
  readonly steps: readonly Step[]
  readonly problems: readonly StepProblem[]
}

const FILE_NAME = /^(\d{14})_([A-Za-z0-9_-]+)\.sql$/
const NO_TRANSACTION = /^--\s*tenantry:\s*no-transaction\s*$/

/** Converts files to steps. Reports files whose names are not step names, and files that share a version. */
export function toSteps(sources: readonly StepSource[]): ReadSteps {
  const steps: Step[] = []
  const problems: StepProblem[] = []
  const byVersion = new Map<string, string>()
  for (const source of sources.toSorted((a, b) => (a.file < b.file ? -1 : 1))) {
    const step = stepOf(source)
    const twin = step && byVersion.get(step.version)
    if (step === undefined)
      problems.push({
        file: source.file,
        message: `${source.file} is not a step name. Name it <timestamp of 14 digits>_<name>.sql, with letters, digits, "_" and "-" in the name.`,
      })
    else if (twin !== undefined)
      problems.push({
        file: source.file,
        message: `${source.file} has the same timestamp as ${twin}. Rename one of them with a later timestamp.`,
      })
    else {
      byVersion.set(step.version, step.file)
      steps.push(step)
    }
  }
  return { steps, problems }
}

function stepOf({ file, sql: given }: StepSource): Step | undefined {
  const [, version, name] = FILE_NAME.exec(file) ?? []
  if (version === undefined || name === undefined) return undefined
  return stepWithText({ version, name }, given)
}

/** @param given the text of the step's file */
export function stepWithText(
  { name, version }: Pick<Step, 'name' | 'version'>,
  given: string,
): Step {
  const sql = normalised(given)
  const [firstLine = ''] = sql.split('\n', 1)
  return {
    version,
    name,
    file: `${version}_${name}.sql`,
    sql,
    checksum: checksumOf(sql),
    isTransactional: !NO_TRANSACTION.test(firstLine),
  }
}

/** Returns the SHA-256 of a text in hexadecimal. */
export function checksumOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex')
}

// Git may change line ends, and some editors add a byte order mark. Neither changes the step.
function normalised(sql: string): string {
  return sql.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
}

/** Returns texts that differ when a name or the SQL of a step differs. They identify the prepared template of these steps. */
export function scriptsOfSteps(steps: readonly Step[]): readonly string[] {
  return steps.map(({ file, sql }) => `-- ${file}\n${sql}`)
}
