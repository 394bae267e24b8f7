// Copies a recorded request: as a curl command, as code with `fetch`, or as a vitest test.
import { Copy } from 'lucide-react'
import type { ReactElement } from 'react'
import type { RequestDetail } from '../../../emulator/contract/recording.ts'
import { useInfo } from '../../api/info.ts'
import { mintToken } from '../../api/tokens.ts'
import { copyText } from '../../parts/copy-text.ts'
import { type CurlCredentials, curlCommand } from '../../parts/curl-command.ts'
import { fetchCode } from '../../parts/fetch-code.ts'
import { freshCredentialOf } from '../../parts/fresh-credential.ts'
import { testCode } from '../../parts/test-code.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'

const WITH_CREDENTIAL = 'The text contains a new credential for the same identity.'

export function CopyRequest({ detail }: { readonly detail: RequestDetail }): ReactElement {
  const prepare = useCredentials(detail)
  const test = testCode(detail)
  const copyAs = async (
    words: string,
    write: (origin: string, credentials: CurlCredentials) => string,
  ) => {
    const made = prepare().then(({ origin, credentials }) => write(origin, credentials))
    await copyText(words, made, WITH_CREDENTIAL)
  }
  return (
    <Menu
      align="end"
      trigger={<IconButton label="Copy request" icon={<Copy />} />}
      items={[
        {
          label: 'Copy as curl',
          onSelect: () => void copyAs('curl', (...given) => curlCommand(detail, ...given)),
        },
        {
          label: 'Copy as fetch',
          onSelect: () => void copyAs('fetch', (...given) => fetchCode(detail, ...given)),
        },
        {
          label: 'Copy as test',
          isDisabled: test === undefined,
          onSelect: () =>
            void copyText('test', Promise.resolve(test ?? ''), 'Save it as a .test.ts file.'),
        },
      ]}
    />
  )
}

/**
 * Returns a function that finds or mints the credentials of a request. @throws {ApiError} from the returned function, when
 * the emulator cannot mint a credential
 */
function useCredentials(
  detail: RequestDetail,
): () => Promise<{ readonly origin: string; readonly credentials: CurlCredentials }> {
  const { data: info } = useInfo()
  return async () => {
    const { entry, recording } = detail
    const source = freshCredentialOf(entry, recording?.claims ?? null, info)
    const headers = recording?.request_headers ?? {}
    const host = headers['host'] ?? new URL(info?.auth_url ?? location.origin).host
    const project = source.kind === 'mint' ? source.order.project : entry.schema_name
    const wantsKey = 'apikey' in headers && project !== null
    const [token, apikey] = await Promise.all([
      source.kind === 'mint' ? mintToken(source.order).then((minted) => minted.token) : undefined,
      wantsKey
        ? mintToken({ project, kind: 'anon_key' }).then((minted) => minted.token)
        : undefined,
    ])
    const credentials = { token: source.kind === 'known' ? source.credential : token, apikey }
    return { origin: `${location.protocol}//${host}`, credentials }
  }
}
