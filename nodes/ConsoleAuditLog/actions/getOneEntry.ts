import type { IExecuteFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { enteredText } from '../../../input/enteredValues';
import type { Service } from '../../../transport/call';
import { getEntry } from '../../../services/console/auditLog';
import type { AuditLogEntry } from '../../../services/console/auditLogEntry';
import type { ItemCalls } from './itemCalls';

/** Operation Get: one entry by its id. */
export async function getOneEntry(
	context: IExecuteFunctions,
	service: Service,
	{ itemIndex, callContext }: ItemCalls,
): Promise<AuditLogEntry[]> {
	const entered = context.getNodeParameter('auditlogId', itemIndex);
	const auditlogId = enteredText(entered, 'Audit Log ID').trim();
	if (auditlogId === '') {
		throw new UserError("'Audit Log ID' is empty", {
			description: "Enter the ID of one entry, e.g. the 'auditlogId' from the trigger.",
		});
	}
	return [await getEntry(service, auditlogId, callContext())];
}
