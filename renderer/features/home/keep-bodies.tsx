// The switch for recording the bodies of refused requests.
import type { ReactElement } from 'react'
import { useKeepRefusedBodies, useRecordingSettings } from '../../api/requests.ts'
import { Checkbox } from '../../ui/checkbox.tsx'

export function KeepBodies(): ReactElement | null {
  const settings = useRecordingSettings()
  const keep = useKeepRefusedBodies()
  if (settings.data === undefined) return null
  return (
    <div className="flex flex-wrap items-center gap-3 px-4 py-2 text-small text-ink-dim">
      <Checkbox
        label="Record bodies of refused requests"
        isChecked={settings.data.refused_bodies}
        isDisabled={keep.isPending}
        onChange={(isOn) => keep.mutate(isOn)}
      />
      {keep.error !== null && (
        <span className="text-refused">Could not change the setting: {keep.error.message}</span>
      )}
    </div>
  )
}
