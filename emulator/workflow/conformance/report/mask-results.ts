// Hides credentials in the failures of a run, before anything prints them. Pure.
import { isSecretName, type SignInScope } from '../../../platform/secrets/secret-names.ts'
import { createMasker } from '../../traffic/masking/create-masker.ts'
import type { CheckedFailure, RuleResult } from '../model/result.ts'

/** Masks credentials in what the target answered, and in what was expected instead. */
export function maskedResults(results: readonly RuleResult[]): readonly RuleResult[] {
  const masker = createMasker()
  const text = (value: string): string => {
    // The status is before the body of an answer.
    const [, status = '', rest = ''] = /^(\d{3} )?(.*)$/s.exec(value) ?? []
    return status + masker.text(rest, ANSWERS)
  }
  const failure = ({ at, expected, got, step }: CheckedFailure): CheckedFailure => ({
    step: text(step),
    at: text(at),
    expected: text(expected),
    got: isSecretPlace(at) && got.startsWith('"') ? '(a string)' : text(got),
  })
  return results.map((result) => ({
    ...result,
    checks: result.checks.map((each) => ({ ...each, failures: each.failures.map(failure) })),
  }))
}

/** Error codes are members `code`, and codes of sign-ins are in addresses. */
const ANSWERS: SignInScope = { inMembers: false, inParameters: true }

/** Returns whether a member or value is a credential by its name, whatever its form. */
function isSecretPlace(at: string): boolean {
  return isSecretName(at.split('.').at(-1) ?? '', false) || /(?:^|[.\s])key$/i.test(at)
}
