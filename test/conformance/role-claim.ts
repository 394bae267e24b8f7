// Reads a token's role at a path in the claims (PostgREST, "JWT Role Extraction"). Pure.
import { isJsonObject, type JsonObject, type JsonValue } from '../../emulator/core/json.ts'

type Step =
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'match'; readonly operator: Operator; readonly operand: string }

/** The steps from the claims to the role. An empty path means the claims themselves. */
export type RoleClaimPath = readonly Step[]

const MATCHES = {
  '==^': (text: string, operand: string) => text.endsWith(operand),
  '==': (text: string, operand: string) => text === operand,
  '!=': (text: string, operand: string) => text !== operand,
  '^==': (text: string, operand: string) => text.startsWith(operand),
  '*==': (text: string, operand: string) => text.includes(operand),
} as const

type Operator = keyof typeof MATCHES

/** Parses a path such as `.a."b c"[0][?(@ == "d")]`, or a list of its steps. @throws {SyntaxError} */
export function parseRoleClaimPath(given: string | readonly string[]): RoleClaimPath {
  if (typeof given === 'string') return stepsIn(given)
  return given.flatMap((step) => {
    try {
      return stepsIn(step)
    } catch (error) {
      // The list has the key of this step without its quotes.
      if (step.startsWith('.')) return [{ kind: 'key', name: step.slice(1) } as const]
      throw error
    }
  })
}

/** The role in the claims; `undefined` when the claims have no value at the path. */
export function roleIn(claims: JsonObject, path: RoleClaimPath): string | undefined {
  const found = path.reduce<JsonValue | undefined>(followed, claims)
  if (found === undefined) return undefined
  return typeof found === 'string' ? found : JSON.stringify(found)
}

const STEP =
  /^(?:\.(?:(?<bare>[\p{L}\p{N}_$@]+)|"(?<quoted>[^"]*)")|\[(?<index>\d+)\]|\[\?\(@\s*(?<operator>==\^|==|!=|\^==|\*==)\s*"(?<operand>[^"]*)"\)\](?=$))/u

function stepsIn(text: string): Step[] {
  const steps: Step[] = []
  let rest = text
  do {
    const found = STEP.exec(rest)
    if (found === null) throw new SyntaxError(`failed to parse role-claim-key value (${text})`)
    steps.push(stepOf(found.groups ?? {}))
    rest = rest.slice(found[0].length)
  } while (rest !== '')
  return steps
}

function stepOf(groups: Readonly<Record<string, string | undefined>>): Step {
  const { bare, quoted, index, operator, operand } = groups
  if (index !== undefined) return { kind: 'index', index: Number(index) }
  if (isOperator(operator)) return { kind: 'match', operator, operand: operand ?? '' }
  return { kind: 'key', name: bare ?? quoted ?? '' }
}

function isOperator(text: string | undefined): text is Operator {
  return text !== undefined && Object.hasOwn(MATCHES, text)
}

function followed(value: JsonValue | undefined, step: Step): JsonValue | undefined {
  if (step.kind === 'key')
    return isJsonObject(value) && Object.hasOwn(value, step.name) ? value[step.name] : undefined
  if (!Array.isArray(value)) return undefined
  const items = value as readonly JsonValue[]
  if (step.kind === 'index') return items[step.index]
  return items.find(
    (item) => typeof item === 'string' && MATCHES[step.operator](item, step.operand),
  )
}
