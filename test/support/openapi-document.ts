// Checks OpenAPI documents against the OpenAPI Initiative's schema of version 3.1 (openapi-3.1.schema.json). Also checks rules
// that the schema cannot express.
import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Json } from './test-emulator.ts'

const META_SCHEMA = new URL('openapi-3.1.schema.json', import.meta.url)

/** Options for OpenAPI: formats are only annotations, and documents have members that are no JSON Schema keywords. */
const OPTIONS = { strict: false, validateFormats: false, allErrors: true } as const

/** Lists the problems of a document. The list is empty for a valid document. */
export function problemsOf(document: Json): readonly string[] {
  return [
    ...problemsByMetaSchema(document),
    ...danglingReferences(document),
    ...operationsOf(document).flatMap(({ path, method, operation }) =>
      undeclaredParameters(document, path, operation).map((name) => `${method} ${path}: ${name}`),
    ),
    ...repeated(operationsOf(document).map(({ operation }) => operation.operationId)),
    ...problemsOfExamples(document),
  ]
}

function problemsByMetaSchema(document: Json): readonly string[] {
  const validate = new Ajv2020(OPTIONS).compile(JSON.parse(readFileSync(META_SCHEMA, 'utf8')))
  return validate(document) ? [] : wordsOf(validate)
}

function wordsOf({ errors }: ValidateFunction): readonly string[] {
  return (errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  )
}

function danglingReferences(document: Json): readonly string[] {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)]
  return references.flatMap(([, path = '']) =>
    resolve(document, path) === undefined ? [`nothing at ${path}`] : [],
  )
}

function resolve(document: Json, path: string): Json {
  return path.split('/').reduce((node, name) => node?.[name], document)
}

/** Returns the target of a reference, or the value itself when it is not a reference. */
export function dereferenced(document: Json, value: Json): Json {
  return value?.$ref === undefined ? value : resolve(document, value.$ref.slice(2))
}

export interface DocumentedOperation {
  readonly method: string
  readonly path: string
  readonly operation: Json
}

/** Lists the operations of a document. Methods are in capitals. */
export function operationsOf(document: Json): readonly DocumentedOperation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item)
      .filter(([method]) => !['servers', 'parameters'].includes(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

function undeclaredParameters(document: Json, path: string, operation: Json): readonly string[] {
  const declared = (operation.parameters ?? [])
    .map((parameter: Json) => dereferenced(document, parameter))
    .filter((parameter: Json) => parameter.in === 'path')
    .map((parameter: Json) => parameter.name)
  const used = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  return [
    ...used.filter((name) => !declared.includes(name)),
    ...declared.filter((name: string) => !used.includes(name)),
  ]
}

function repeated(ids: readonly string[]): readonly string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `two operations ${id}`)
}

/** Checks that examples match the schema beside them. Also compiles every schema, which checks the schema itself. */
function problemsOfExamples(document: Json): readonly string[] {
  const validatorOf = schemasOf(document)
  for (const name of Object.keys(document.components.schemas))
    validatorOf({ $ref: `#/components/schemas/${name}` })
  return operationsOf(document).flatMap(({ operation }) =>
    Object.values<Json>(operation.responses).flatMap((response) =>
      Object.values<Json>(dereferenced(document, response).content ?? {}).flatMap(
        ({ schema, examples = {} }) =>
          Object.entries<Json>(examples).flatMap(([name, example]) => {
            const validate = validatorOf(schema)
            const { value } = dereferenced(document, example)
            return validate(value) ? [] : wordsOf(validate).map((words) => `${name}: ${words}`)
          }),
      ),
    ),
  )
}

/** Returns the validator of a schema. Closed validators refuse members that the schema does not list. */
export type Validators = (schema: Json, kind?: 'closed' | 'open') => ValidateFunction

export function schemasOf({ components }: Json): Validators {
  const ajv = new Ajv2020(OPTIONS)
  ajv.addSchema({ $id: 'open', components })
  ajv.addSchema({ $id: 'closed', components: closed(components) })
  const known = new Map<string, ValidateFunction>()
  return (schema, kind = 'closed') => {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${kind}#/`)
    const parsed = JSON.parse(text)
    const key = `${kind} ${text}`
    const validate = known.get(key) ?? ajv.compile(kind === 'open' ? parsed : closed(parsed))
    known.set(key, validate)
    return validate
  }
}

/** Closes every object schema that lists its members. */
function closed(node: Json): Json {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const members = Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, closed(value)]),
  )
  const isObject = members['type'] === 'object' && members['properties'] !== undefined
  return isObject ? { additionalProperties: false, ...members } : members
}
