/** The tool that runs commands. Who knows it can say where a shell command in place of a cell belongs. */
export const COMMAND_TOOL = 'exec_command';
