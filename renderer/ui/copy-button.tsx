// Copies a text to the clipboard and shows a brief confirmation.
import { Check, Copy } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { showToast } from './toast.tsx'

export interface CopyButtonProps {
  readonly text: string
  /** Tooltip and accessible name: "Copy anon key". */
  readonly label?: string
  /** The text on the button. A button without text shows only an icon. */
  readonly words?: string
  readonly size?: 'small' | 'usual'
}

export function CopyButton(props: CopyButtonProps): ReactElement {
  const { text, label = 'Copy', words, size = 'small' } = props
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      showToast({ title: 'The browser refused to copy the text', tone: 'refused' })
    }
  }
  // An invisible animation ends the confirmation, so that no timer is needed.
  const icon = isCopied ? (
    <span className="animate-linger text-allowed" onAnimationEnd={() => setCopied(false)}>
      <Check />
    </span>
  ) : (
    <Copy />
  )
  if (words !== undefined)
    return (
      <Button size={size} icon={icon} onClick={copy}>
        {isCopied ? 'Copied' : words}
      </Button>
    )
  return <IconButton size={size} label={isCopied ? 'Copied' : label} icon={icon} onClick={copy} />
}
