// Reading requests to the emulator's own API: body, query and the project they name; every problem is told at once.
import type { Context } from 'hono'
import { z } from 'zod'
import { parseJson } from '../core/json.ts'
import { isDeeperThan } from '../core/json-depth.ts'
import { parseSchemaName, slugOf, trusted } from '../core/names.ts'
import { isPlatformInstant, PLATFORM_RANGE } from '../core/platform-clock.ts'
import type { RequestEnv } from '../core/request-env.ts'
import { epochMillis } from '../core/time.ts'
import type { Project } from '../projects/project.ts'
import type { ProjectRegistry } from '../projects/registry.ts'
import { InspectorError } from './errors.ts'

export type Bindings = { Bindings: RequestEnv }

/** ISO 8601 with an offset. */
export const instant = z.iso
  .datetime({ offset: true })
  .transform((text) => epochMillis(z.coerce.date().parse(text).getTime()))

/** The same where platform time can be moved. */
export const platformInstant = instant.refine(
  isPlatformInstant,
  `platform time goes ${PLATFORM_RANGE}`,
)

/** Finds a project by schema name, slug or id. @throws {InspectorError} `not_found` */
export function findProject(projects: ProjectRegistry, reference: string): Project {
  const schemaName = parseSchemaName(reference)
  const project =
    projects.findProjectBySlug(schemaName === undefined ? reference : slugOf(schemaName)) ??
    projects.findProject(trusted.projectId(reference))
  if (project === undefined)
    throw new InspectorError('not_found', `There is no project ${reference}.`, {
      hint: 'Name it by schema name, slug or id.',
    })
  return project
}

/**
 * Finds a project whose tables can be asked: a deleted one keeps them until it is purged.
 * @throws {InspectorError} `not_found`
 */
export function liveProject(projects: ProjectRegistry, reference: string): Project {
  const project = findProject(projects, reference)
  if (project.state === 'active' || project.state === 'deleted') return project
  throw new InspectorError(
    'not_found',
    `Project ${reference} is ${project.state}: it has no tables and no users.`,
  )
}

/** Levels of a JSON body: the shapes' own check recurses, several calls a level. */
const MAX_LEVELS = 500

/** @throws {InspectorError} `invalid_json`, `invalid_request` */
export async function decodeBody<Schema extends z.ZodType>(
  c: Context<Bindings>,
  schema: Schema,
): Promise<z.output<Schema>> {
  const text = await c.req.text()
  if (isDeeperThan(text, MAX_LEVELS))
    throw new InspectorError('invalid_json', `The body is nested deeper than ${MAX_LEVELS} levels.`)
  const body = parseJson(text)
  if (body === undefined) throw new InspectorError('invalid_json', 'The body is not valid JSON.')
  return decode(schema, body)
}

/** As `decodeBody`; no body at all is an empty object. */
export async function decodeOptionalBody<Schema extends z.ZodType>(
  c: Context<Bindings>,
  schema: Schema,
): Promise<z.output<Schema>> {
  const isAbsent = c.req.raw.body === null || c.req.header('content-length') === '0'
  return isAbsent ? decode(schema, {}) : decodeBody(c, schema)
}

/** @throws {InspectorError} `invalid_request` */
export function decodeQuery<Schema extends z.ZodType>(
  c: Context<Bindings>,
  schema: Schema,
): z.output<Schema> {
  return decode(schema, c.req.query())
}

function decode<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`,
  )
  throw new InspectorError('invalid_request', `The request is not valid. ${problems.join('; ')}.`)
}
