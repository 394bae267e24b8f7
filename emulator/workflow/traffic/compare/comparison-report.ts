// Formats a comparison for the terminal, and as JUnit XML for CI services. Pure.
import type {
  ComparedDifference,
  ComparedEndpoint,
  Comparison,
} from '../../../contract/comparisons.ts'
import { type EqualRequests, equalRequests, senderText } from '../../../contract/equal-requests.ts'
import { escapeHtml } from '../../../core/escape-html.ts'

/** Formats the score of each endpoint, and the differences as a diff. */
export function comparisonLines({
  differences,
  endpoints,
  late_events: late,
  score,
  skipped,
}: Comparison): string {
  const requests = endpoints.reduce((sum, endpoint) => sum + endpoint.requests, 0)
  const agreeing = endpoints.reduce((sum, endpoint) => sum + endpoint.agreeing, 0)
  const width = Math.max(
    0,
    ...endpoints.map(({ method, route }) => method.length + route.length + 1),
  )
  return [
    ...endpoints.map((endpoint) => endpointLine(endpoint, width)),
    '',
    ...(differences.length === 0 ? [] : ['Differences: - recorded, + emulator', '']),
    ...equalRequests(differences).flatMap(requestLines),
    ...skipped.map(
      ({ method, reason, request, target }) =>
        `not compared: #${request} ${method} ${target}: ${reason}`,
    ),
    ...(skipped.length === 0 ? [] : ['']),
    requests === 0
      ? 'No request was compared.'
      : `Score ${score} %: ${agreeing} of ${requests} requests agree, ${counted(differences.length, 'difference')}.`,
    ...(late === 0
      ? []
      : [
          `Not compared: ${counted(late, 'event')} after the recorded client closed its socket or left its channel.`,
        ]),
  ].join('\n')
}

/**
 * Formats the comparison as JUnit XML. Each endpoint is a suite with a test case for each compared request. Requests that were
 * not compared are a suite of their own.
 */
export function comparisonJunit({ differences, endpoints, skipped }: Comparison): string {
  const suites = endpoints.map(({ agreeing, method, requests, route }) => {
    const failed = byRequest(
      differences.filter((found) => found.method === method && found.route === route),
    )
    const name = escapeHtml(`${method} ${route}`)
    const cases = [
      ...failed.map((group) => failedCase(name, group)),
      ...Array.from(
        { length: agreeing },
        (_, index) => `    <testcase classname="${name}" name="agreeing request ${index + 1}"/>`,
      ),
    ]
    return [
      `  <testsuite name="${name}" tests="${requests}" failures="${failed.length}">`,
      ...cases,
      '  </testsuite>',
    ].join('\n')
  })
  const omitted = skipped.map(
    ({ method, reason, request, target }) =>
      `    <testcase classname="not compared" name="${escapeHtml(`#${request} ${method} ${target}`)}"><skipped message="${escapeHtml(reason)}"/></testcase>`,
  )
  const rest =
    omitted.length === 0
      ? []
      : [
          `  <testsuite name="not compared" tests="${omitted.length}" skipped="${omitted.length}">`,
          ...omitted,
          '  </testsuite>',
        ]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="tenantry compare">',
    ...suites,
    ...rest,
    '</testsuites>',
    '',
  ].join('\n')
}

function failedCase(name: string, group: readonly ComparedDifference[]): string {
  const [first] = group
  const message = escapeHtml(group.map(({ at, kind }) => `${kind} at ${at}`).join(', '))
  return [
    `    <testcase classname="${name}" name="${escapeHtml(`#${first?.request} ${first?.target}`)}">`,
    `      <failure message="${message}">${escapeHtml(group.flatMap(diffLines).join('\n'))}</failure>`,
    '    </testcase>',
  ].join('\n')
}

function endpointLine(
  { agreeing, method, requests, route }: ComparedEndpoint,
  width: number,
): string {
  const mark = agreeing === requests ? 'agrees ' : 'differs'
  return `${mark}  ${`${method} ${route}`.padEnd(width)}  ${agreeing} of ${requests}`
}

/** Maximum number of request numbers in one line. */
const SHOWN_NUMBERS = 5

function requestLines({ differences, requests }: EqualRequests): readonly string[] {
  const [first] = differences
  if (first === undefined) return []
  const numbers = requests.slice(0, SHOWN_NUMBERS).map((number) => `#${number}`)
  const left = requests.length - numbers.length
  const sender = senderText(first)
  return [
    `${numbers.join(', ')}${left > 0 ? ` and ${left} more` : ''} ${first.method} ${first.target}${sender === '' ? '' : `  ${sender}`}${requests.length > 1 ? `, ${requests.length} times` : ''}`,
    ...differences.flatMap(diffLines),
    '',
  ]
}

function diffLines({ at, kind, recorded, replayed }: ComparedDifference): readonly string[] {
  return [
    `    ${at}  (${kind.replace('_', ' ')})`,
    ...(recorded === null ? [] : [`      - ${recorded}`]),
    ...(replayed === null ? [] : [`      + ${replayed}`]),
  ]
}

function byRequest(
  differences: readonly ComparedDifference[],
): readonly (readonly ComparedDifference[])[] {
  return [...Map.groupBy(differences, ({ request }) => request).values()]
}

function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
