// Says in plain words what is wrong with a value that a schema refuses. Pure.
import type { z } from 'zod'

/**
 * The context for `safeParse` that replaces zod's own sentences. A message then follows the name of the value, such as
 * `ms: is missing` or `port: must be at most 65535`. Messages that a schema defines itself stay unchanged.
 */
export const IN_PLAIN_WORDS: z.core.ParseContext<z.core.$ZodIssue> = { error: wordsOf }

function wordsOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${withArticle(issue.expected)}`
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'too_small':
      return `must ${boundOf(issue.origin, 'at least', Number(issue.minimum))}`
    case 'too_big':
      return `must ${boundOf(issue.origin, 'at most', Number(issue.maximum))}`
    case 'unrecognized_keys':
      return `has the unknown ${issue.keys.length === 1 ? 'member' : 'members'} ${issue.keys.join(', ')}`
    default:
      return undefined
  }
}

function withArticle(type: string): string {
  const name = type === 'int' ? 'integer' : type
  return `${/^[aio]/.test(name) ? 'an' : 'a'} ${name}`
}

const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
}

function boundOf(origin: string, which: 'at least' | 'at most', bound: number): string {
  const units = UNITS[origin]
  return units === undefined
    ? `be ${which} ${bound}`
    : `have ${which} ${bound} ${bound === 1 ? units[0] : units[1]}`
}
