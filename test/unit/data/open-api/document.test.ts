import { describe, expect, it } from 'vitest'
import { trusted } from '../../../../emulator/core/names.ts'
import { openApiDocument } from '../../../../emulator/services/data/open-api/document.ts'
import { type DataSettings, tenantSettings } from '../../../../emulator/services/data/settings.ts'
import { clinicCache } from '../sql/clinic-cache.ts'

const cache = clinicCache()

function documentOf(more: Partial<DataSettings> = {}, comment?: string) {
  const settings = { ...tenantSettings(trusted.schemaName('proj_x'), 1), ...more }
  return openApiDocument(
    cache,
    { tables: [...cache.tables.values()], routines: [], comment },
    settings,
  )
}

describe('the OpenAPI document', () => {
  it('describes a table with its keys', () => {
    expect(documentOf()).toMatchObject({
      swagger: '2.0',
      definitions: {
        visits: {
          type: 'object',
          properties: {
            id: { type: 'integer', format: 'int32', description: expect.stringContaining('<pk/>') },
            clinic_id: {
              description: expect.stringContaining("<fk table='clinics' column='id'/>"),
            },
            note: { type: 'string', format: 'text' },
          },
        },
      },
    })
  })

  it('refers only to parameters it defines', () => {
    const document = documentOf()
    const known = Object.keys(document['parameters'] ?? {})
    const text = JSON.stringify(document['paths'])
    const named = [...text.matchAll(/#\/parameters\/([^"]+)/g)].map(([, name]) => name)
    expect(named.filter((name) => name === undefined || !known.includes(name))).toEqual([])
  })

  it('takes title and description from the comment on the schema', () => {
    expect(documentOf({}, 'Clinics\n\nAll of them')).toMatchObject({
      info: { title: 'Clinics', description: 'All of them' },
    })
    expect(documentOf({}, 'Clinics')).toMatchObject({ info: { title: 'Clinics', description: '' } })
  })

  it('names its address when the address is known', () => {
    expect(documentOf({ publicUrl: 'https://api.example.test:8443/rest' })).toMatchObject({
      host: 'api.example.test:8443',
      schemes: ['https'],
      basePath: '/rest',
    })
    expect(documentOf({ publicUrl: 'https://api.example.test' })).toMatchObject({
      host: 'api.example.test:443',
      basePath: '/',
    })
    expect(documentOf()).not.toHaveProperty('host')
  })
})
