// Request lines of the data plane: well-formed ones of the grammar, and the same with pieces cut out, doubled or replaced.
import fc from 'fast-check'
import { requestLine } from '../../support/request-lines.ts'
import { hostile } from '../../support/request-words.ts'
import { spoiled } from '../../support/spoiled-lines.ts'
import { REST_QUERY_EXAMPLES } from '../examples/rest-query.ts'
import type { FuzzTarget } from '../target.ts'
import { openRest, type RestCase } from './rest.ts'

const decisions = fc.array(fc.nat(0xffff), { minLength: 4, maxLength: 48, size: 'max' })
const identity = fc.constantFrom('server', 'server', 'server', 'server', 'user', 'anon', 'nobody')

export const restQuery: FuzzTarget<RestCase> = {
  name: 'rest-query',
  cases: fc.tuple(decisions, identity).map(([all, as]) => {
    const { method, path, search, headers, body } = spoiled(
      requestLine(all, hostile),
      all.toReversed(),
    )
    return {
      as,
      method,
      target: search === '' ? path : `${path}?${search}`,
      headers: [...Object.entries({ 'content-type': 'application/json', ...headers })],
      body,
    }
  }),
  examples: REST_QUERY_EXAMPLES,
  open: openRest,
}
