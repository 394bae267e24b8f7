// Reads JSON files that this program wrote. A file that exists but cannot be used is an error. If it counted as missing, the
// caller would overwrite it.

import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { EmulatorError } from './errors.ts'
import { parseJson } from './json.ts'
import { whyUnreadable } from './named-files.ts'
import { IN_PLAIN_WORDS } from './schema-problem.ts'

/** A file of this program that was changed, damaged or made unreadable. */
export class UnusableFile extends EmulatorError {
  override readonly code = 'unusable_file'
}

/**
 * Returns the content of a JSON file, or `undefined` when there is no such file.
 * @param hint what the user can do about a file that cannot be used
 * @throws {UnusableFile} when it cannot be read, is not JSON or does not fit the schema
 */
export function readOwnFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  hint: string,
): z.output<Schema> | undefined {
  const text = textOf(path, hint)
  if (text === undefined) return undefined
  const value = parseJson(text)
  if (value === undefined) throw new UnusableFile(`${path} is not JSON.`, { hint })
  const parsed = schema.safeParse(value, IN_PLAIN_WORDS)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue?.path.join('.') ?? ''
  throw new UnusableFile(
    `${path} is not usable: ${place === '' ? '' : `${place}: `}${issue?.message}.`,
    { hint },
  )
}

/** Reads a file that another process may be writing, such as that of a running emulator. Ignores a file that cannot be used. */
export function readPassingFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): z.output<Schema> | undefined {
  try {
    return readOwnFile(path, schema, '')
  } catch (error) {
    if (error instanceof UnusableFile) return undefined
    throw error
  }
}

function textOf(path: string, hint: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw new UnusableFile(whyUnreadable(path, cause), { hint, cause })
  }
}
