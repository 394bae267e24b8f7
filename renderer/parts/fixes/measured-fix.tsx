// Shows SQL that fixes a whole table or a request, with its effect. The effect loads when the user asks for it.
import { ScanEye } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { FixEffectRequest } from '../../../emulator/contract/suggested-fixes.ts'
import { useFixEffect } from '../../api/explain.ts'
import { Button } from '../../ui/button.tsx'
import { ChangeButton } from '../change/change-button.tsx'
import { Loaded } from '../loaded.tsx'
import { RunnableSql } from '../sql-actions.tsx'
import { FixEffectView, FixMark } from './fix-effect.tsx'

export interface MeasuredFixProps {
  readonly tenant: string
  readonly sql: string
  /** The table and the identity that the fix is for. */
  readonly of: Pick<FixEffectRequest, 'relation' | 'identity' | 'command' | 'new_row'>
}

export function MeasuredFix({ of, sql, tenant }: MeasuredFixProps): ReactElement {
  const [isShown, setShown] = useState(false)
  const effect = useFixEffect(tenant, isShown ? { ...of, sql } : undefined)
  return (
    <div className="grid gap-2">
      {isShown && (
        <Loaded query={effect} what="the effect">
          {(found) => (
            <div className="grid justify-items-start gap-1">
              <FixMark effect={found} />
              <FixEffectView effect={found} />
            </div>
          )}
        </Loaded>
      )}
      <RunnableSql tenant={tenant} sql={sql} label="suggested fix">
        <ChangeButton
          change={{ tenant, title: titleOf(of), statements: [sql] }}
          label="Apply fix"
        />
        {effect.data === undefined && (
          <Button
            size="small"
            icon={<ScanEye />}
            isBusy={isShown && effect.isFetching}
            onClick={() => setShown(true)}
          >
            Show effect
          </Button>
        )}
      </RunnableSql>
    </div>
  )
}

function titleOf({ command, relation }: MeasuredFixProps['of']): string {
  return `Allow ${command} on ${relation}`
}
