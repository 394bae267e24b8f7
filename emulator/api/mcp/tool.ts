// A tool as a value: what an agent reads about it, and what it does. `server.ts` offers all tools over the protocol.
import type { z } from 'zod'
import type { Answer, CallArguments, JsonOperationName } from '../../contract/operations.ts'
import { EmulatorError } from '../../core/errors.ts'

/** The API of a running emulator. The command line calls it over HTTP, and the emulator itself without a socket. */
export interface EmulatorCalls {
  /** Calls an operation whose answer is JSON. @throws {EmulatorError} when the emulator refuses it or does not answer */
  call<Name extends JsonOperationName>(
    name: Name,
    ...args: CallArguments<Name>
  ): Promise<Answer<Name>>
}

export interface ToolDeps {
  readonly calls: EmulatorCalls
  /** Whether tools may change data, platform time, faults and states. */
  readonly allowWrites: boolean
}

/** What a tool found. `server.ts` renders it within the limit of one answer. */
export interface Finding {
  /** Lines before the entries. */
  readonly head?: string
  readonly entries: readonly string[]
  /** Lines after the entries. Every page of the list has these lines. */
  readonly tail?: string
  /** Number of entries on all pages. Default: the number of `entries`. */
  readonly total?: number
  /** Whether further entries exist whose number is unknown. Default: false. */
  readonly hasMore?: boolean
  /** Says how to read entries that the answer leaves out. @param shown number of entries in the answer */
  readonly readOn?: (shown: number) => string
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  /** `never`: the tool only reads. `if_allowed`: some inputs change the emulator, and need `allowWrites`. */
  readonly changes: 'never' | 'if_allowed'
  /** @throws {EmulatorError} whose message and hint the agent reads */
  run(deps: ToolDeps, input: z.output<Input>): Promise<Finding>
}

/** Infers the input's type for `run`. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool
}

/** Thrown when a tool cannot do what its input asks for. */
export class ToolError extends EmulatorError {
  override readonly code: 'read_only' | 'invalid_input' | 'not_found' | 'sql_failed'

  constructor(code: ToolError['code'], message: string, hint?: string) {
    super(message, { hint })
    this.code = code
  }
}

/** @throws {ToolError} `read_only` unless the server allows writes @param action e.g. `move platform time` */
export function requireWrites({ allowWrites }: ToolDeps, action: string): void {
  if (allowWrites) return
  throw new ToolError(
    'read_only',
    `This server is read-only, so it cannot ${action}.`,
    'A person can allow writes: with "tenantry mcp --allow-writes", or with "?allow-writes=1" at the end of the address.',
  )
}

/** Returns the value of an input that the chosen action needs. @throws {ToolError} `invalid_input` */
export function needed<Value>(value: Value | undefined, name: string, action: string): Value {
  if (value !== undefined) return value
  throw new ToolError('invalid_input', `The action ${action} needs ${name}.`, `Give "${name}".`)
}
