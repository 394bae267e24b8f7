// Puts a request on the clipboard as a curl command.
import { Terminal } from 'lucide-react'
import type { ReactElement } from 'react'
import type { RequestDetail } from '../../../emulator/contract/recording.ts'
import { IconButton } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCurl } from './use-curl.ts'

export function CopyCurl({ detail }: { readonly detail: RequestDetail }): ReactElement {
  const makeCurl = useCurl(detail)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await makeCurl())
      showToast({
        title: 'Copied as curl',
        detail: 'Its credential was minted just now.',
        tone: 'allowed',
      })
    } catch (error) {
      showToast({
        title: 'The command could not be copied',
        detail: error instanceof Error ? error.message : String(error),
        tone: 'refused',
      })
    }
  }
  return <IconButton label="Copy as curl" icon={<Terminal aria-hidden="true" />} onClick={copy} />
}
