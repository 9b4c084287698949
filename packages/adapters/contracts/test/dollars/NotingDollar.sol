// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice A dollar that believes every authorization, and notes by which function it was asked last.
contract NotingDollar {
    mapping(address account => uint256 balance) public balanceOf;
    bytes4 public noted;

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        return true;
    }

    /// @dev EIP-3009 begins with the holder, the recipient and the value, whatever the form of the signature.
    fallback() external {
        noted = msg.sig;
        (, address to, uint256 value) = abi.decode(msg.data[4:], (address, address, uint256));
        balanceOf[to] += value;
    }
}
