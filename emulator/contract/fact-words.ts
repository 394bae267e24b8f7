// The words in which every screen and the CLI show the two facts about a project. No word is used for both facts. Pages load this
// file, so it does not load zod.
import type { DifferencesFact, StepsFact } from './project-facts.ts'

export function stepsText({ pending, problem, ran }: StepsFact): string {
  if (ran === null) return 'steps unreadable'
  const done = `${ran} ran`
  if (problem !== null) return `${done}, conflict`
  if (pending === null) return done
  return pending === 0 ? `${done}, none pending` : `${done}, ${pending} pending`
}

/** Names what a structure is compared with. `comparedWith` is the value of `compared_with`. */
export function referenceText(comparedWith: string): string {
  if (comparedWith === 'steps') return 'its steps'
  return comparedWith === 'fixture' ? 'the fixture' : comparedWith
}

/** As `differencesText`, with what the structure is compared with: `no differences from its steps`. */
export function differencesFromText(fact: DifferencesFact): string {
  const { compared_with: reference, count } = fact
  const text = differencesText(fact)
  return reference === null || count === null ? text : `${text} from ${referenceText(reference)}`
}

export function differencesText({ count, state }: DifferencesFact): string {
  if (state === 'not_checked') return 'not checked yet'
  if (count === null) return 'cannot be checked'
  if (count === 0) return 'no differences'
  return count === 1 ? '1 difference' : `${count} differences`
}
