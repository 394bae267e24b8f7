// Copies a recorded request as a curl command, or sends the request again as the same identity.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCw, Terminal } from 'lucide-react'
import { type ReactElement, useEffect } from 'react'
import type { ReplayRequest, RequestDetail } from '../../../emulator/contract/recording.ts'
import { useInfo } from '../../api/info.ts'
import { replayRequest } from '../../api/requests.ts'
import { mintToken } from '../../api/tokens.ts'
import { freshCredentialOf } from '../../parts/fresh-credential.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { curlCommand } from './curl-command.ts'

export function CopyCurl({ detail }: { readonly detail: RequestDetail }): ReactElement {
  const makeCurl = useCurl(detail)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await makeCurl())
      showToast({
        title: 'Copied as curl',
        detail: 'The command contains a new credential for the same identity.',
        tone: 'allowed',
      })
    } catch (error) {
      showToast({
        title: 'Could not copy the command',
        detail: error instanceof Error ? error.message : String(error),
        tone: 'refused',
      })
    }
  }
  return <IconButton label="Copy as curl" icon={<Terminal />} onClick={copy} />
}

/**
 * Returns a function that builds the curl command of a request. @throws {ApiError} from the returned function, when the
 * emulator cannot mint a credential
 */
function useCurl(detail: RequestDetail): () => Promise<string> {
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

export function ReplayButton(props: {
  readonly requestId: string
  readonly onAnswered: (requestId: string) => void
}): ReactElement {
  const { requestId, onAnswered } = props
  const { send, isSending, error } = useResend(requestId, onAnswered)
  useEffect(() => {
    if (error !== null) showToast({ title: 'Can’t replay', detail: error.message, tone: 'refused' })
  }, [error])
  return (
    <Button icon={<RotateCw />} isBusy={isSending} onClick={() => send({})}>
      Replay
    </Button>
  )
}

interface Resend {
  readonly send: (edits: ReplayRequest) => void
  readonly isSending: boolean
  readonly error: Error | null
}

/** Sends a request again, then opens the new request. */
export function useResend(requestId: string, onAnswered: (requestId: string) => void): Resend {
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (edits: ReplayRequest) => replayRequest(requestId, edits),
    onSuccess: ({ request_id: next, status }) => {
      void queries.invalidateQueries({ queryKey: ['journal', 'chain'] })
      showToast({
        title: `Response ${status}`,
        detail: 'The new request is open.',
        tone: status < 400 ? 'allowed' : 'refused',
      })
      onAnswered(next)
    },
  })
  return { send: mutate, isSending: isPending, error }
}
