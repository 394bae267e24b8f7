// One tenant's schema, and a function that sends requests to the data plane without the gate, for tests of the pipeline's rules.

import { trusted } from '../../../emulator/core/names.ts'
import { Answer, toResponse } from '../../../emulator/core/plain-http.ts'
import { answer } from '../../../emulator/services/data/answer.ts'
import { DataError, refusalOf, renderRefusal } from '../../../emulator/services/data/errors.ts'
import { RefusedByDatabase } from '../../../emulator/services/data/from-sql-error.ts'
import { createSchemaCaches } from '../../../emulator/services/data/schema-cache/cache.ts'
import { type DataSettings, tenantSettings } from '../../../emulator/services/data/settings.ts'
import { createTestTenant, openTestEngine, runAsOwner } from '../../support/test-engine.ts'

export const SCHEMA = 'proj_asked'

export interface Question {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly settings?: Partial<DataSettings>
  readonly role?: 'anon' | 'service_role'
}

export interface Told {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; `undefined` when the body is not JSON. */
  readonly json: unknown
}

export interface Asked {
  ask(target: string, question?: Question): Promise<Told>
  /** Changes the schema as its owner. */
  change(ddl: string): Promise<void>
  close(): Promise<void>
}

/** Opens an engine with one tenant whose owner ran `ddl`. All roles have all privileges on the tenant's objects. */
export async function openAsk(ddl: string): Promise<Asked> {
  const { engine } = await openTestEngine()
  await createTestTenant(engine, SCHEMA)
  await runAsOwner(engine, SCHEMA, ddl)
  const schemaName = trusted.schemaName(SCHEMA)
  const caches = createSchemaCaches(engine)

  async function respond(target: string, question: Question): Promise<Answer> {
    const { method = 'GET', headers = {}, body, role = 'service_role' } = question
    const [path = '', search = ''] = target.split('?')
    try {
      return await answer(
        { engine, caches },
        {
          method,
          path,
          search,
          headers: new Headers(headers),
          body: new TextEncoder().encode(bodyText(body)),
          caller: { schemaName, role, claims: {}, claimsText: '{}' },
          isAnonymous: false,
          settings: { ...tenantSettings(schemaName, 8_000), ...question.settings },
          chosen: { schema: SCHEMA, isNegotiatedByProfile: false },
          signal: undefined,
          facts: {},
        },
      )
    } catch (error) {
      const refusal =
        error instanceof DataError
          ? refusalOf(error)
          : error instanceof RefusedByDatabase
            ? error.refusal
            : undefined
      if (refusal === undefined) throw error
      const rendered = renderRefusal(refusal)
      return new Answer(rendered.status, rendered.headers, rendered.body)
    }
  }

  return {
    ask: async (target, question = {}) => {
      const response = toResponse(await respond(target, question))
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, json: jsonOf(text) }
    },
    change: async (more) => {
      await runAsOwner(engine, SCHEMA, more)
      caches.invalidate(SCHEMA)
    },
    close: () => engine.close(),
  }
}

function bodyText(body: unknown): string {
  if (body === undefined) return ''
  return typeof body === 'string' ? body : JSON.stringify(body)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
