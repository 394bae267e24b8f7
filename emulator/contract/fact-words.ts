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

export function differencesText({ count, state }: DifferencesFact): string {
  if (state === 'not_checked') return 'not checked yet'
  if (count === null) return 'cannot be checked'
  if (count === 0) return 'no differences'
  return count === 1 ? '1 difference' : `${count} differences`
}
