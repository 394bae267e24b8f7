// The result of a run: one entry for each rule of docs/wire, as `--json` prints it.
import type { Mismatch } from './patterns.ts'

export type RuleStatus = 'passed' | 'failed' | 'skipped' | 'not checkable'

export interface CheckedFailure extends Mismatch {
  /** The request or frame, such as `POST /auth/v1/signin`. */
  readonly step: string
}

export interface CheckResult {
  readonly title: string
  readonly status: 'passed' | 'failed' | 'skipped'
  /** Why the check was skipped. */
  readonly reason?: string
  readonly failures: readonly CheckedFailure[]
}

export interface RuleResult {
  /** Page and anchor, such as `auth.md#signin`. */
  readonly rule: string
  /** `failed` when a check failed, `passed` when one passed, otherwise `skipped`. */
  readonly status: RuleStatus
  /** Why a rule is not checkable, or what its checks leave out. */
  readonly note?: string
  readonly checks: readonly CheckResult[]
}

export interface ConformanceResult {
  readonly target: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly notCheckable: number
  readonly rules: readonly RuleResult[]
  /** What a run with `--write` could not remove. */
  readonly left: readonly string[]
}
