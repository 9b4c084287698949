// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice The cheatcodes of forge that these tests use.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function addr(uint256 privateKey) external pure returns (address);
    function assertEq(uint256 left, uint256 right, string calldata what) external pure;
    function assertEq(address left, address right, string calldata what) external pure;
    function assertEq(bytes32 left, bytes32 right, string calldata what) external pure;
    function assertEq(bytes calldata left, bytes calldata right, string calldata what) external pure;
    function assertEq(string calldata left, string calldata right, string calldata what) external pure;
    function assertTrue(bool claim, string calldata what) external pure;
    function assume(bool condition) external pure;
    function deal(address account, uint256 balance) external;
    function etch(address account, bytes calldata code) external;
    function expectRevert(bytes calldata reason) external;
    function getRecordedLogs() external returns (Log[] memory);
    function load(address account, bytes32 slot) external view returns (bytes32);
    function prank(address caller) external;
    function recordLogs() external;
    function revertToState(uint256 snapshot) external returns (bool);
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function snapshotState() external returns (uint256);
    function startPrank(address caller) external;
    function stopPrank() external;
    function toBase64(string calldata text) external pure returns (string memory);
    function toString(uint256 value) external pure returns (string memory);
    function toString(bytes32 value) external pure returns (string memory);
    function toString(bytes calldata value) external pure returns (string memory);
    function warp(uint256 timestamp) external;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
