// Hides credentials in the failures of a run, before anything prints them. Pure.
import { isSecretName, type SignInScope } from '../../../platform/secrets/secret-names.ts'
import { createMasker } from '../../traffic/masking/create-masker.ts'
import type { CheckedFailure, RuleResult } from '../model/result.ts'

/** Masks credentials in the answers of the target, and in the values that were expected. */
export function maskedResults(results: readonly RuleResult[]): readonly RuleResult[] {
  const masker = createMasker()
  const text = (value: string): string => {
    // The text of an answer begins with its status, which is not masked.
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

/** A member `code` is an error code and not a secret, but a parameter `code` of an address is the code of a sign-in. */
const ANSWERS: SignInScope = { inMembers: false, inParameters: true }

/** Returns whether the name of a member or value says that it is a credential. */
function isSecretPlace(at: string): boolean {
  return isSecretName(at.split('.').at(-1) ?? '', false) || /(?:^|[.\s])key$/i.test(at)
}
