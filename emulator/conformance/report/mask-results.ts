// Hides credentials in the failures of a run, before anything prints them. Pure.
import { createMasker } from '../../traffic/masking/mask-text.ts'
import type { CheckedFailure, RuleResult } from '../model/result.ts'

/** Masks credentials in what the target answered, and in what was expected instead. */
export function maskedResults(results: readonly RuleResult[]): readonly RuleResult[] {
  const masker = createMasker()
  const text = (value: string): string => {
    // The status is before the body of an answer.
    const [, status = '', rest = ''] = /^(\d{3} )?(.*)$/s.exec(value) ?? []
    // Error codes are members `code`, and codes of sign-ins are in addresses.
    return status + masker.url(masker.text(rest, { isSignIn: false }), { isSignIn: true })
  }
  const failure = ({ at, expected, got, step }: CheckedFailure): CheckedFailure => ({
    step: text(step),
    at: text(at),
    expected: text(expected),
    got: SECRET.test(at) && got.startsWith('"') ? '(a string)' : text(got),
  })
  return results.map((result) => ({
    ...result,
    checks: result.checks.map((each) => ({ ...each, failures: each.failures.map(failure) })),
  }))
}

/** A member or value that is a credential by its name, whatever its form. */
const SECRET = /(?:^|[.\s])[\w-]*(?:token|key|secret|password|code_verifier)$/i
