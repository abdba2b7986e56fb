import fastify from 'fastify';
import type { Teardown } from '../../../scripts/demo/teardown.cts';

/** A chat model that uses the tool it is offered once, and then repeats what the tool answered. */
export interface ChatModel {
	/** What a user would enter as the Base URL of an OpenAI credential. */
	url: string;
	/** What the tool answered, of each conversation. */
	answers: readonly string[];
}

interface ChatRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string } }>;
	/** Whether the answer is to be a stream of events. */
	stream?: boolean;
}

/** @param toolArguments With which it calls the tool. */
export async function startChatModel(
	toolArguments: Record<string, unknown>,
	teardown: Teardown,
): Promise<ChatModel> {
	const answers: string[] = [];
	const server = fastify();
	server.post<{ Body: ChatRequest }>('/v1/chat/completions', async ({ body }, reply) => {
		const [last] = body.messages.slice(-1);
		if (last.role === 'tool') answers.push(String(last.content));
		const said = last.role === 'tool' ? { content: last.content } : toolCall(body, toolArguments);
		const message = { role: 'assistant', ...said };
		if (!body.stream) return completion({ message });
		const events = [JSON.stringify(completion({ delta: message })), '[DONE]'];
		return await reply
			.type('text/event-stream')
			.send(events.map((event) => `data: ${event}\n\n`).join(''));
	});
	teardown.add(() => server.close());
	const address = await server.listen({ host: '127.0.0.1', port: 0 });
	return { url: `${address}/v1`, answers };
}

function toolCall({ tools }: ChatRequest, toolArguments: Record<string, unknown>): object {
	const call = { name: tools?.[0].function.name, arguments: JSON.stringify(toolArguments) };
	const asked = { index: 0, id: 'call-1', type: 'function', function: call };
	return { content: null, tool_calls: [asked] };
}

function completion(choice: object): object {
	const choices = [{ index: 0, ...choice, finish_reason: 'stop' }];
	return { id: 'chat-1', object: 'chat.completion', created: 0, model: 'test', choices };
}
