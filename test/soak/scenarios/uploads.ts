// Stores objects that a browser could run as a page, with every content type that was once mistaken for harmless.
import { join } from 'node:path'
import { requireThat, type Scenario, tenantAt, withFolder, withSite } from '../scenario.ts'

const TYPES = [
  ...['*/*', 'unknown/unknown', 'application/unknown', 'text/xsl', 'text/html', 'image/svg+xml'],
  ...['application/xhtml+xml', 'text/xml', 'multipart/x-mixed-replace', 'application/pdf', ''],
  ...['text/html;charset=utf-7', 'application/x-unknown', 'text/javascript', 'IMAGE/SVG+XML'],
]
const PAGE = '<script>document.title = "run"</script>'
/** Types that no browser runs as a page of this origin. */
const INERT = /^(image\/(?!svg)|audio\/|video\/|text\/plain|application\/(octet-stream|pdf)(;|$))/i

export const uploads: Scenario = {
  name: 'uploads',
  title: 'pages are stored under fifteen content types in a public bucket',
  run: () =>
    withFolder((folder) =>
      withSite('', { dataDir: join(folder, 'data') }, async (site) => {
        const { call } = site.product
        const tenant = tenantAt(site, 0)
        const { body } = await call('POST', '/st/v1/token', {
          credential: tenant.service_role_key,
        })
        const bucket = `${tenant.schema_name}_public`
        await call('POST', '/storage/v1/bucket', {
          credential: body.token,
          body: { name: bucket, public: true },
        })
        for (const [place, type] of TYPES.entries()) {
          const headers = { 'content-type': type }
          const path = `/storage/v1/object/${bucket}/page${place}`
          const stored = await call('POST', path, { credential: body.token, headers, body: PAGE })
          if (stored.status >= 300) continue
          const shown = await call('GET', `/storage/v1/object/public/${bucket}/page${place}`)
          requireHarmless(type, shown.headers)
        }
        return { figures: `${TYPES.length} types` }
      }),
    ),
}

function requireHarmless(type: string, headers: Headers): void {
  const served = headers.get('content-type') ?? ''
  const policy = headers.get('content-security-policy') ?? ''
  requireThat(
    headers.get('x-content-type-options') === 'nosniff',
    `an object stored as "${type}" is served as "${served}" without nosniff`,
  )
  requireThat(
    INERT.test(served) || /(^|;)\s*sandbox\b/.test(policy),
    `an object stored as "${type}" is served as "${served}" without a sandbox`,
  )
}
