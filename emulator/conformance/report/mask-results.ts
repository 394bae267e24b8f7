// Hides credentials in the failures of a run, before anything prints them. Pure.
import { createMasker } from '../../traffic/masking/mask-text.ts'
import type { CheckedFailure, RuleResult } from '../model/result.ts'

/** Masks credentials in what the target answered, and in what was expected instead. */
export function maskedResults(results: readonly RuleResult[]): readonly RuleResult[] {
  const masker = createMasker()
  const text = (value: string): string => masker.text(value, { isSignIn: true })
  const failure = (each: CheckedFailure): CheckedFailure => ({
    step: masker.url(text(each.step), { isSignIn: true }),
    at: each.at,
    expected: text(each.expected),
    got: memberMasked(each.at, text(each.got)),
  })
  return results.map((result) => ({
    ...result,
    checks: result.checks.map((each) => ({ ...each, failures: each.failures.map(failure) })),
  }))
}

const SECRET_MEMBER = /(?:token|key|secret|password|code_verifier)$/

/** Hides a value that is a secret by the name of its member. */
function memberMasked(at: string, got: string): string {
  return SECRET_MEMBER.test(at) && got.startsWith('"') ? '(a string)' : got
}
