// Texts of the request sheet about parts that the emulator has not recorded.
import { expect, it } from 'vitest'
import { noStagesText, noStatementText } from '../../../../../renderer/features/requests/texts.ts'

it.each([
  ['control', 201, /records the statements of REST requests and of “db\/exec” only/],
  ['auth', 400, /records the statements of REST requests/],
  ['data', 401, /refused the request before it ran a statement/],
  ['data', 200, /answered the request without a statement/],
])('explains a %s request with status %i that has no statement', (service, status, text) => {
  expect(noStatementText({ service, status })).toMatch(text)
})

it('does not say that stages were measured when the request has no recording', () => {
  expect(noStagesText({ stages: null })).toMatch(/^Not measured/)
  expect(noStagesText(null)).toMatch(/^Not available: .* until it stops, .* only while/)
})
