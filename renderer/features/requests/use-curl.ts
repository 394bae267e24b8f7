// Makes the curl command of a request, with a credential minted for it.
import type { RequestDetail } from '../../../emulator/contract/recording.ts'
import { useInfo } from '../../api/info.ts'
import { mintToken } from '../../api/tokens.ts'
import { freshCredentialOf } from '../../parts/fresh-credential.ts'
import { curlCommand } from './curl-command.ts'

/** @throws {ApiError} from the answer's call, when a credential cannot be minted */
export function useCurl(detail: RequestDetail): () => Promise<string> {
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
    return curlCommand(entry, recording, `${location.protocol}//${host}`, {
      token: source.kind === 'known' ? source.credential : token,
      apikey,
    })
  }
}
