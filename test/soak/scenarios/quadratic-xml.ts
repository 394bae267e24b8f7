// Half a megabyte of unclosed elements in a signed S3 request, while another tenant reads.
import { join } from 'node:path'
import { askS3 } from '../../support/s3-client.ts'
import { isLate } from '../machine.ts'
import {
  requireThat,
  type Scenario,
  serverHeaders,
  tenantAt,
  timed,
  withFolder,
  withSite,
} from '../scenario.ts'

const BODY = `<Delete>${'<Object>'.repeat(65_536)}`
const ANSWERED_WITHIN_MILLIS = 3_000

export const quadraticXml: Scenario = {
  name: 'quadratic-xml',
  title: 'an S3 client deletes 65,536 objects whose elements never end',
  run: () =>
    withFolder((folder) =>
      withSite(
        'create table notes (id integer primary key)',
        { dataDir: join(folder, 'data') },
        async (site) => {
          const { call } = site.product
          const path = `/_emulator/v1/projects/${tenantAt(site, 0).slug}/s3-keys`
          const { body: keys } = await call('POST', path)
          const bucket = `${tenantAt(site, 0).schema_name}_b`
          await askS3(keys, 'PUT', `/${bucket}`)
          const attack = askS3(keys, 'POST', `/${bucket}`, { query: { delete: '' }, body: BODY })
          const started = performance.now()
          const { millis } = await timed(() =>
            call('GET', '/notes', { headers: serverHeaders(tenantAt(site, 1)) }),
          )
          const { status } = await attack
          requireThat(
            !isLate(started, ANSWERED_WITHIN_MILLIS),
            `another tenant's read waited ${Math.round(millis)} ms`,
          )
          requireThat(status === 400, `the request was answered ${status}`)
          return { figures: `refused with ${status}; the other read took ${Math.round(millis)} ms` }
        },
      ),
    ),
}
