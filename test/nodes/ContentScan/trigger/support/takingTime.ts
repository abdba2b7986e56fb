import type { ModelScanList } from './modelScanList';

/** Each call takes so long, in milliseconds. */
export function takingTime(list: ModelScanList, callMs: number): void {
	const send = list.send.bind(list);
	list.send = async (call, context) => {
		list.now += callMs / 2;
		const answer = await send(call, context);
		list.now += callMs / 2;
		return answer;
	};
}
