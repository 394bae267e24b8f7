// Calls of an emulator to its own API, with the admin token of the caller.
import { BASE, requestLine } from '../../contract/operation.ts'
import type { Answer, CallArguments, JsonOperationName } from '../../contract/operations.ts'
import { EmulatorError } from '../../core/errors.ts'
import type { EmulatorCalls } from './platform-at.ts'

class OwnCallError extends EmulatorError {
  override readonly code = 'refused'
}

/** Untyped form of an operation's inputs, which fits every operation. */
interface Sendable {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

/** @param origin address at which the emulator listens @param authorization header of the caller */
export function ownCalls(origin: string, authorization: string | undefined): EmulatorCalls {
  return {
    call: async <Name extends JsonOperationName>(name: Name, ...args: CallArguments<Name>) => {
      const [inputs = {}] = args as readonly [Sendable?]
      const { body } = inputs
      const [method, path] = requestLine(name, inputs)
      const answer = await fetch(new URL(BASE + path, origin), {
        method,
        headers: {
          ...(authorization === undefined ? {} : { authorization }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (!answer.ok) throw new OwnCallError(`${name} was refused: ${await answer.text()}`)
      return (await answer.json()) as Answer<Name>
    },
  }
}
