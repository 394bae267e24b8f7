// What the tools need of a running emulator: the operations of its own API. The command line calls them over HTTP, and the
// emulator itself without a socket.
import type { Answer, CallArguments, JsonOperationName } from '../contract/operations.ts'

export interface EmulatorCalls {
  /** Calls an operation whose answer is JSON. @throws {EmulatorError} when the emulator refuses it or does not answer */
  call<Name extends JsonOperationName>(
    name: Name,
    ...args: CallArguments<Name>
  ): Promise<Answer<Name>>
}
