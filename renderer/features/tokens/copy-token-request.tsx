// Copies a request that sends the credential: as a curl command, as code with `fetch`, or as a vitest test. The request reads
// one row of the project's first table.
import { Copy } from 'lucide-react'
import type { ReactElement } from 'react'
import type { TokenExplanation } from '../../../emulator/contract/tokens.ts'
import { call, platformFetch } from '../../api/client.ts'
import { mintToken } from '../../api/tokens.ts'
import { copyText } from '../../parts/copy-text.ts'
import { type CurlCredentials, curlCommand } from '../../parts/curl-command.ts'
import { fetchCode } from '../../parts/fetch-code.ts'
import { type TestedRequest, testCode } from '../../parts/test-code.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'

type Write = (request: TestedRequest, origin: string, credentials: CurlCredentials) => string

const FORMATS: readonly (readonly [words: string, detail: string, write: Write])[] = [
  ['curl', 'The command contains the credential.', curlCommand],
  ['fetch', 'The code contains the credential.', fetchCode],
  [
    'test',
    'Save it as a .test.ts file. The test uses the same identity in a tenant of its own.',
    (request) => testCode(request) ?? '',
  ],
]

export function CopyTokenRequest(props: {
  readonly token: string
  readonly explanation: TokenExplanation
}): ReactElement | null {
  const { token, explanation } = props
  const { project, services } = explanation
  const isAccepted = services.some(({ service, accepted }) => service === 'rest' && accepted)
  if (project === null || !isAccepted) return null
  return (
    <Menu
      align="end"
      trigger={
        <Button size="small" icon={<Copy />}>
          Copy request
        </Button>
      }
      items={FORMATS.map(([words, detail, write]) => ({
        label: `Copy as ${words}`,
        onSelect: () =>
          void copyText(
            words,
            requestWith(token, explanation, project.slug).then(({ request, credentials }) =>
              write(request, location.origin, credentials),
            ),
            detail,
          ),
      }))}
    />
  )
}

/** Sends the request, so that the copied test expects the present answer. @throws {ApiError} */
async function requestWith(
  token: string,
  { claims, kind }: TokenExplanation,
  project: string,
): Promise<{ readonly request: TestedRequest; readonly credentials: CurlCredentials }> {
  const isKey = kind === 'anon_key' || kind === 'service_role_key'
  const [{ tables }, apikey] = await Promise.all([
    call('GET /projects/:ref/tables', { params: { ref: project } }),
    isKey ? token : mintToken({ project, kind: 'anon_key' }).then((minted) => minted.token),
  ])
  const table = tables.find(({ is_closed }) => !is_closed)
  const target = table === undefined ? '/' : `/${encodeURIComponent(table.name)}?limit=1`
  const answer = await platformFetch(target, { credential: token, headers: { apikey } })
  const text = await answer.text()
  const role = ROLES.find((known) => known === (claims?.['sdb_role'] ?? claims?.['role'])) ?? null
  const subject = claims?.['sub']
  const request: TestedRequest = {
    entry: {
      method: 'GET',
      target,
      status: answer.status,
      role,
      subject: typeof subject === 'string' ? subject : null,
      schema_name: `proj_${project}`,
      error_code: null,
    },
    recording: {
      claims,
      request_headers: { authorization: '', apikey: '' },
      request_body: { state: 'empty', text: null, size_bytes: 0 },
      response_body: { state: 'complete', text, size_bytes: text.length },
    },
  }
  return { request, credentials: { token, apikey } }
}

const ROLES = ['anon', 'authenticated', 'service_role'] as const
