// Formats the result of a run: as a matrix for the terminal, and as JUnit XML for CI services. Pure.

import { escapeHtml } from '../../../core/escape-html.ts'
import { shortened } from '../../../core/printable.ts'
import type { CheckResult, ConformanceResult, RuleResult } from '../model/result.ts'

/** Maximum length of a value in one line, because an answer can have a megabyte. */
const SHOWN = 300

const MARKS: Readonly<Record<RuleResult['status'], string>> = {
  passed: 'passed ',
  failed: 'FAILED ',
  skipped: 'skipped',
  'not checkable': '–      ',
}

/** Formats one line for each rule, by page, with the failures below. */
export function matrixLines(result: ConformanceResult): string {
  const width = Math.max(...result.rules.map(({ rule }) => anchorOf(rule).length))
  const pages = Map.groupBy(result.rules, ({ rule }) => rule.split('#')[0] ?? '')
  return [
    ...[...pages].flatMap(([page, rules]) => [
      `docs/wire/${page}`,
      ...rules.flatMap((rule) => ruleLines(rule, width)),
      '',
    ]),
    ...result.left.flatMap((request, index) => [
      ...(index === 0 ? ['Not removed:'] : []),
      `  ${cut(request)}`,
    ]),
    ...(result.left.length > 0 ? [''] : []),
    summaryOf(result),
  ].join('\n')
}

function ruleLines(rule: RuleResult, width: number): readonly string[] {
  const { checks, note, status } = rule
  const remark = status === 'not checkable' ? (note ?? '') : checksOf(checks)
  return [
    `  ${MARKS[status]}  ${anchorOf(rule.rule).padEnd(width)}  ${remark}`.trimEnd(),
    ...checks
      .filter((each) => each.status === 'failed')
      .flatMap(({ failures, title }) => [
        `      ${title}`,
        ...[...Map.groupBy(failures, ({ step }) => step)].flatMap(([step, found]) => [
          `        ${cut(step)}`,
          ...found.flatMap(({ at, expected, got }) => [
            `          ${at}`,
            `            expected  ${cut(expected)}`,
            `            got       ${cut(got)}`,
          ]),
        ]),
      ]),
    ...(status === 'not checkable' || note === undefined
      ? []
      : [`           not checked: ${note}`]),
  ]
}

function checksOf(checks: readonly CheckResult[]): string {
  const ran = checks.filter(({ status }) => status !== 'skipped')
  const passed = ran.filter(({ status }) => status === 'passed')
  const reasons = [...new Set(checks.flatMap(({ reason }) => reason ?? []))].join('; ')
  if (ran.length === 0) return reasons
  const counted = `${passed.length} of ${ran.length} ${ran.length === 1 ? 'check' : 'checks'}`
  return reasons === '' ? counted : `${counted}, ${checks.length - ran.length} skipped (${reasons})`
}

function summaryOf({ failed, notCheckable, passed, skipped, target }: ConformanceResult): string {
  const rules = passed + failed + skipped + notCheckable
  return `${target}: ${rules} ${rules === 1 ? 'rule' : 'rules'}, ${passed} passed, ${failed} failed, ${skipped} skipped, ${notCheckable} not checkable.`
}

/** Formats the result as JUnit XML: a suite for each rule, a test case for each check. */
export function matrixJunit({ rules }: ConformanceResult): string {
  const suites = rules.map(({ checks, note = '', rule, status }) => {
    const name = escapeHtml(`docs/wire/${rule}`)
    const cases =
      status === 'not checkable'
        ? [testcase(name, rule, `<skipped message="${escapeHtml(note)}"/>`)]
        : checks.map((each) => testcase(name, each.title, outcomeOf(each)))
    const failures = checks.filter((each) => each.status === 'failed').length
    return [
      `  <testsuite name="${name}" tests="${cases.length}" failures="${failures}">`,
      ...cases,
      '  </testsuite>',
    ].join('\n')
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="tenantry conformance">',
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}

function testcase(suite: string, name: string, outcome: string): string {
  const head = `    <testcase classname="${suite}" name="${escapeHtml(name)}"`
  return outcome === '' ? `${head}/>` : `${head}>${outcome}</testcase>`
}

function outcomeOf({ failures, reason = '', status }: CheckResult): string {
  if (status === 'skipped') return `<skipped message="${escapeHtml(reason)}"/>`
  if (status === 'passed') return ''
  const lines = failures.map(
    ({ at, expected, got, step }) =>
      `${cut(step)}\n  ${at}\n    expected ${cut(expected)}\n    got ${cut(got)}`,
  )
  const message = failures.map(({ at }) => at).join(', ')
  return `<failure message="${escapeHtml(message)}">${escapeHtml(lines.join('\n'))}</failure>`
}

function anchorOf(rule: string): string {
  return `#${rule.split('#')[1] ?? ''}`
}

function cut(text: string): string {
  return shortened(text.replaceAll('\n', ' '), SHOWN)
}
