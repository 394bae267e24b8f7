// Finds the function that a request calls. The function matches by name and argument names, or has a single unnamed parameter
// for the whole body (PostgREST, "Functions as RPC", "Overloaded functions"). Pure.
import { DataError } from '../errors.ts'
import type { ApiRequest } from '../request/api-request.ts'
import type { MediaType } from '../request/media-type.ts'
import { keyOf, type Routine, type SchemaCache } from '../schema-cache/schema-cache.ts'
import type { QualifiedName } from '../settings.ts'
import { type HintFact, routineHint } from './hints.ts'

/** @throws {DataError} PGRST202 when no function matches, PGRST203 when several match */
export function findRoutine(
  cache: SchemaCache,
  request: ApiRequest,
  name: string,
  argumentNames: readonly string[],
): Routine {
  const { schema, contentType } = request
  const isPost = request.method === 'POST'
  const known = cache.routines.get(keyOf({ schema, name })) ?? []
  const given = new Set(argumentNames)
  const byName = known.filter((routine) => takesArguments(routine, given, isPost, contentType))
  const byBody = known.filter(
    (routine) => !byName.includes(routine) && takesBody(routine, isPost, contentType),
  )
  const fitting = byName.length > 0 ? byName : byBody
  const [only, ...others] = fitting
  if (only === undefined) {
    // A body that is one whole value has no argument names, so no hint is possible.
    const hint =
      isPost && isWholeBody(contentType) ? {} : routineHint(cache, { schema, name }, argumentNames)
    throw notFound({ schema, name }, argumentNames, isPost ? contentType : undefined, hint)
  }
  if (others.length > 0) throw ambiguous(fitting)
  return only
}

function isWholeBody(media: MediaType): boolean {
  return media.kind === 'octetStream' || media.kind === 'text' || media.kind === 'xml'
}

function takesArguments(
  routine: Routine,
  given: ReadonlySet<string>,
  isPost: boolean,
  media: MediaType,
): boolean {
  const { parameters } = routine
  if (parameters.length === 0) return given.size === 0 && !(isPost && isWholeBody(media))
  const names = new Set(parameters.map((parameter) => parameter.name))
  return (
    parameters.every((parameter) => !parameter.isRequired || given.has(parameter.name)) &&
    [...given].every((name) => names.has(name))
  )
}

function takesBody(routine: Routine, isPost: boolean, media: MediaType): boolean {
  const [parameter, ...others] = routine.parameters
  if (!isPost || parameter === undefined || others.length > 0 || parameter.name !== '') return false
  const { type } = parameter
  if (media.kind === 'json') return type === 'json' || type === 'jsonb'
  if (media.kind === 'octetStream') return type === 'bytea'
  return isWholeBody(media) && type === media.kind
}

function notFound(
  { schema, name }: QualifiedName,
  argumentNames: readonly string[],
  body: MediaType | undefined,
  hint: HintFact,
): DataError {
  const routine = `${schema}.${name}`
  const hasNone = argumentNames.length === 0
  const list = argumentNames.join(', ')
  const named = hasNone
    ? ' without parameters'
    : ` with parameter${argumentNames.length > 1 ? 's' : ''} ${list}`
  const shown = hasNone ? ' without parameters' : `(${list})`
  const isUnnamed = body !== undefined && isWholeBody(body)
  return new DataError(
    'PGRST202',
    `Could not find the function ${routine}${isUnnamed ? '' : shown} in the schema cache`,
    {
      ...hint,
      details: `Searched for the function ${routine}${searched(named, body)}, but no matches were found in the schema cache.`,
    },
  )
}

function searched(named: string, body: MediaType | undefined): string {
  if (body?.kind === 'json') return `${named} or with a single unnamed json/jsonb parameter`
  if (body?.kind === 'octetStream') return ' with a single unnamed bytea parameter'
  return body !== undefined && isWholeBody(body)
    ? ` with a single unnamed ${body.kind} parameter`
    : named
}

function ambiguous(candidates: readonly Routine[]): DataError {
  const signatures = candidates.map(({ schema, name, parameters }) => {
    const list = parameters.map((parameter) => `${parameter.name} => ${parameter.type}`)
    return `${schema}.${name}(${list.join(', ')})`
  })
  return new DataError(
    'PGRST203',
    `Could not choose the best candidate function between: ${signatures.join(', ')}`,
    {
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    },
  )
}
